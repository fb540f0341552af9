# Verbs about tables.

# value_of returns a number of a document, NA for null.
value_of <- function(x) {
  if (is.null(x)) return(NA_real_)
  if (is.character(x)) { # "p/q"
    parts <- as.numeric(strsplit(x, "/", fixed = TRUE)[[1]])
    return(parts[1] / parts[2])
  }
  as.numeric(x)
}

# cells_of makes a data frame of the cells of a document.
cells_of <- function(cells, dims, numbers, words = character()) {
  n <- length(cells)
  out <- data.frame(cell = vapply(cells, function(c) c$cell, ""), stringsAsFactors = FALSE)
  for (d in seq_along(dims)) out[[dims[d]]] <- vapply(cells, function(c) if (length(c$codes) >= d) as.character(c$codes[[d]]) else NA_character_, "")
  for (w in words) out[[w]] <- vapply(cells, function(c) if (is.null(c[[w]])) NA_character_ else as.character(c[[w]]), "")
  for (f in numbers) out[[f]] <- vapply(cells, function(c) value_of(c[[f]]), 0)
  rownames(out) <- NULL
  stopifnot(nrow(out) == n)
  out
}

ends_of <- function(cells, key, k) vapply(cells, function(c) if (is.null(c[[key]])) NA_real_ else value_of(c[[key]][[k]]), 0)

result <- function(class, ...) structure(list(...), class = c(class, "hitoku_result"))

hitoku_protect <- function(x, ...) UseMethod("hitoku_protect")

hitoku_protect.default <- function(x, dims = NULL, value = NULL, freq = NULL, columns = NULL, total = NULL, hierarchies = NULL,
                                   name = "table", output = NULL, intervals = FALSE, program = NULL, ...) {
  folder <- private()
  on.exit(gone(folder))
  call <- call_of(x, folder, dims, value, freq, columns, total, hierarchies, name)
  written <- if (!is.null(output)) path.expand(output) else if (!is.null(call$frame)) file.path(folder, "protected.csv")
  args <- c(call$args, arguments(list(...)), if (intervals) "--intervals", "--json", "--quiet", if (!is.null(written)) paste0("--output=", written), "--", call$path)
  done <- run("suppress", args, folder, program, call$rows_of)
  doc <- first(done)
  if (!doc$audit %in% c("protected", "nothing")) {
    problem <- done$problem
    if (is.null(problem)) problem <- list(kind = "verdict", message = paste0(doc$table, ": ", doc$status))
    stop(fault(problem, done$documents))
  }
  cells <- cells_of(doc$withheld, call$dims, c("value", "cost", "lpl", "upl", "spl"), c("status", "reason"))
  if (intervals) {
    cells$lower <- ends_of(doc$withheld, "interval", 1)
    cells$upper <- ends_of(doc$withheld, "interval", 2)
  }
  table <- if (!is.null(call$frame)) like(read_table(written, call$dims), call$frame)
  result("hitoku_protection", document = doc, table = table, withheld = like(cells, x), remarks = done$remarks)
}

hitoku_audit <- function(x, ...) UseMethod("hitoku_audit")

hitoku_audit.default <- function(x, dims = NULL, value = NULL, freq = NULL, columns = NULL, total = NULL, hierarchies = NULL,
                                 name = "table", program = NULL, ...) {
  if (is.data.frame(x) && all(c("primary", "suppressed") %in% names(x))) {
    x <- gauss_published(x, value %||% freq %||% columns$value, freq)
  }
  folder <- private()
  on.exit(gone(folder))
  call <- call_of(x, folder, dims, value, freq, columns, total, hierarchies, name, published = TRUE)
  done <- run("audit", c(call$args, arguments(list(...)), "--json", "--quiet", "--", call$path), folder, program, call$rows_of)
  doc <- first(done)
  cells <- cells_of(doc$cells, call$dims, c("value", "lower", "upper", "lpl", "upl", "spl"), "status")
  cells$verdict <- vapply(doc$cells, function(c) if (isTRUE(c$disclosed)) "disclosed" else if (isTRUE(c$unsettled)) "unsettled" else if (isTRUE(c$protected)) "protected" else "unprotected", "")
  result("hitoku_audit", document = doc, verdict = doc$verdict, cells = like(cells, x), remarks = done$remarks)
}

`%||%` <- function(a, b) if (is.null(a)) b else a

hitoku_attack <- function(x, dims = NULL, value = NULL, freq = NULL, columns = NULL, total = NULL, hierarchies = NULL,
                          name = "table", knows = NULL, program = NULL, ...) {
  folder <- private()
  on.exit(gone(folder))
  call <- call_of(x, folder, dims, value, freq, columns, total, hierarchies, name, published = TRUE)
  done <- run("attack", c(call$args, arguments(c(list(knows = knows), list(...))), "--json", "--quiet", "--", call$path), folder, program, call$rows_of)
  doc <- first(done)
  cells <- cells_of(doc$cells, call$dims, character())
  for (k in 1:2) {
    cells[[c("lower", "upper")[k]]] <- ends_of(doc$cells, "feasible", k)
  }
  for (k in 1:2) {
    cells[[c("effective_lower", "effective_upper")[k]]] <- ends_of(doc$cells, "effective", k)
  }
  cells$safe <- vapply(doc$cells, function(c) if (is.null(c$safe)) NA else c$safe, NA)
  result("hitoku_attack", document = doc, safe = if (any(cells$safe %in% FALSE)) FALSE else if (anyNA(cells$safe)) NA else TRUE, cells = like(cells, x), remarks = done$remarks)
}

hitoku_explain <- function(cell, x, dims = NULL, value = NULL, freq = NULL, columns = NULL, total = NULL, hierarchies = NULL,
                           name = "table", program = NULL, ...) {
  folder <- private()
  on.exit(gone(folder))
  call <- call_of(x, folder, dims, value, freq, columns, total, hierarchies, name)
  which <- if (length(cell) > 1) as.character(jsonlite::toJSON(as.character(cell))) else as.character(cell)
  first(run("explain", c(call$args, arguments(list(...)), "--json", "--", which, call$path), folder, program, call$rows_of))
}

hitoku_verify <- function(certificate, x, dims = NULL, value = NULL, freq = NULL, columns = NULL, total = NULL, hierarchies = NULL,
                          name = "table", program = NULL, ...) {
  folder <- private()
  on.exit(gone(folder))
  call <- call_of(x, folder, dims, value, freq, columns, total, hierarchies, name)
  first(run("verify", c(call$args, arguments(list(...)), "--json", "--", path.expand(certificate), call$path), folder, program, call$rows_of))
}

hitoku_inspect <- function(file, program = NULL, ...) {
  folder <- private()
  on.exit(gone(folder))
  first(run("inspect", c(arguments(list(...)), "--json", "--", path.expand(file)), folder, program))
}
