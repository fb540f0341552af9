# Measures of microdata.

micro_file <- function(x, folder, name) if (is_path(x)) path.expand(x) else write_csv(as.data.frame(x), file.path(folder, name))

hitoku_measure <- function(verb, records = NULL, qi = NULL, sensitive = NULL, population = NULL, aux = NULL, program = NULL, ...) {
  folder <- private()
  on.exit(gone(folder))
  args <- c(if (!is.null(qi)) paste0("--qi=", quoted_list(qi)), if (!is.null(sensitive)) paste0("--sensitive=", quoted_list(sensitive)))
  if (!is.null(population)) args <- c(args, paste0("--population=", micro_file(population, folder, "population.csv")))
  if (is.data.frame(aux) || is_path(aux)) aux <- list(aux)
  for (k in seq_along(aux)) args <- c(args, paste0("--aux=", micro_file(aux[[k]], folder, paste0("aux", k, ".csv"))))
  args <- c(args, arguments(list(...)), "--json", if (!is.null(records)) c("--", micro_file(records, folder, "records.csv")))
  done <- run(c("risk", verb), args, folder, program, "records.csv")
  structure(list(document = first(done), remarks = done$remarks), class = "hitoku_measure")
}

hitoku_k <- function(records, qi, ...) hitoku_measure("k-anonymity", records, qi = qi, ...)
hitoku_l <- function(records, qi, sensitive, ...) hitoku_measure("l-diversity", records, qi = qi, sensitive = sensitive, ...)
hitoku_t <- function(records, qi, sensitive, ...) hitoku_measure("t-closeness", records, qi = qi, sensitive = sensitive, ...)
hitoku_k_map <- function(records, qi, population = NULL, aux = NULL, ...) hitoku_measure("k-map", records, qi = qi, population = population, aux = aux, ...)
hitoku_delta <- function(records, qi, population = NULL, aux = NULL, ...) hitoku_measure("delta-presence", records, qi = qi, population = population, aux = aux, ...)
hitoku_survey <- function(records, qi, weight, ...) hitoku_measure("survey", records, qi = qi, weight = weight, ...)
hitoku_uniques <- function(records, qi, population_size, ...) hitoku_measure("uniques", records, qi = qi, population_size = population_size, ...)

# A measure has the keys of its document; kept says whether all limits are kept.
`$.hitoku_measure` <- function(x, name) {
  x <- unclass(x)
  if (name %in% c("document", "remarks")) return(x[[name]])
  if (name == "kept") return(all(vapply(x$document$limits, function(l) l$met, NA)))
  x$document[[name]]
}

facts <- function(x) {
  d <- x$document
  d <- d[setdiff(names(d), c("schema", "files", "population_files", "aux_files", "missing_markers"))]
  d <- d[vapply(d, function(v) length(v) == 1 && is.atomic(v), NA)]
  data.frame(what = names(d), value = vapply(d, function(v) plain(v), ""), row.names = NULL)
}

print.hitoku_measure <- function(x, ...) {
  print(facts(x), row.names = FALSE, right = FALSE)
  for (l in x$document$limits) if (!l$met) cat("limit", l$limit, "is not kept\n")
  invisible(x)
}

knit_print.hitoku_measure <- function(x, ...) knitr::asis_output(paste(c("", knitr::kable(facts(x), row.names = FALSE), ""), collapse = "\n"))
