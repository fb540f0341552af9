# What results look like on the console and in documents of knitr.

line_of <- function(x) {
  d <- x$document
  if (inherits(x, "hitoku_protection")) {
    return(sprintf("%s: %s, cost %s: %s, %d of %d cells withheld (%d sensitive, %d secondary)", d$table, d$status, number_text(value_of(d$cost)), d$audit,
      as.integer(d$suppressed), as.integer(d$cells), as.integer(d$sensitive), as.integer(d$secondary)))
  }
  if (inherits(x, "hitoku_audit")) {
    bad <- x$cells$verdict %in% c("unprotected", "disclosed")
    return(sprintf("%s: %s, %d cells withheld, %d unprotected, %d of them disclosed", d$table, x$verdict, nrow(x$cells), sum(bad), sum(x$cells$verdict == "disclosed")))
  }
  word <- if (is.na(x$safe)) "unknown" else if (x$safe) "safe" else "unsafe"
  sprintf("%s: %s, %d cells withheld, %d unsafe", d$table, word, nrow(x$cells), sum(x$cells$safe %in% FALSE))
}

cells_shown <- function(x) if (inherits(x, "hitoku_protection")) x$withheld else x$cells

print_result <- function(x, ...) {
  cat(line_of(x), "\n\n", sep = "")
  cells <- as.data.frame(cells_shown(x))
  cells <- cells[vapply(cells, function(c) !all(is.na(c)), NA)]
  print(utils::head(cells, 50), row.names = FALSE, ...)
  if (nrow(cells) > 50) cat("... and", nrow(cells) - 50, "more\n")
  invisible(x)
}

print.hitoku_protection <- function(x, ...) print_result(x, ...)
print.hitoku_audit <- function(x, ...) print_result(x, ...)
print.hitoku_attack <- function(x, ...) print_result(x, ...)

as.data.frame.hitoku_result <- function(x, row.names = NULL, optional = FALSE, ...) {
  as.data.frame(if (inherits(x, "hitoku_protection") && !is.null(x$table)) x$table else cells_shown(x))
}

knit_print.hitoku_result <- function(x, ...) {
  cells <- as.data.frame(cells_shown(x))
  cells <- cells[vapply(cells, function(c) !all(is.na(c)), NA)]
  knitr::asis_output(paste(c("", knitr::kable(cells, row.names = FALSE), "", line_of(x), ""), collapse = "\n"))
}
