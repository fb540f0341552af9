# Compares GaussSuppression and sdcTable with hitoku on the data frames of their own vignettes: suppressed cells, their cost, open cells by the exact audit, seconds.
# Run from the root, with the three packages in R_LIBS and the vignettes of sdcTable in a folder:
#   Rscript contrib/r/tools/peers.R VIGNETTES bench/results/peers.csv docs/same-in.md
# The cost is the sum of the numbers in secondary cells; a cell is open if its interval is narrower than 1, or than its levels. The table in the document stands between two comments.
# GaussSuppression also guards against single contributors, which hitoku is not asked to do. sdcTable needs highs, and gets no levels but its own.
suppressPackageStartupMessages({
  library(hitoku)
  library(GaussSuppression)
  library(sdcTable)
})
given <- commandArgs(trailingOnly = TRUE)
if (length(given) != 3) stop("want the vignettes of sdcTable, a file for the figures and the document")
vignettes <- given[1]

rows <- list()
note <- function(example, program, cells, primary, secondary, cost, open, seconds) {
  rows[[length(rows) + 1]] <<- data.frame(example = example, program = program, cells = cells, primary = primary, secondary = secondary,
    cost = cost, open = open, seconds = sprintf("%.1f", seconds))
  message(example, ", ", program)
}
quietly <- function(expr) {
  sink(nullfile())
  on.exit(sink())
  suppressWarnings(suppressMessages(expr))
}
seconds_of <- function(expr) system.time(expr)[["elapsed"]]
open_in <- function(audit) sum(!audit$cells$verdict %in% "protected")

# gauss compares one call of GaussSuppression with the same call here.
gauss <- function(example, theirs, ours, number, data, dimVar) {
  d <- hitoku:::dimensions(data, dimVar, list())
  for (one in list(list("GaussSuppression", theirs), list("hitoku", ours))) {
    out <- NULL
    time <- seconds_of(out <- as.data.frame(quietly(one[[2]]())))
    second <- out$suppressed & !out$primary
    audit <- quietly(hitoku_audit(out, dims = d$dims, value = number, total = d$totals, hierarchies = d$trees, width = 1))
    note(example, one[[1]], nrow(out), sum(out$primary), sum(second), sum(out[[number]][second]), open_in(audit), time)
  }
}
a <- SSBtools::SSBtoolsData("example1")
counts <- function(name, data, dimVar, maxN) {
  gauss(name, function() SuppressSmallCounts(data = data, dimVar = dimVar, freqVar = "freq", maxN = maxN),
    function() hitoku_small_counts(data, dimVar = dimVar, freqVar = "freq", maxN = maxN, width = 1), "freq", data, dimVar)
}
counts("small counts: age × geo (2014)", a[a$year == "2014", ], c("age", "geo"), 1)
counts("small counts: age × geo in eu (2014)", a[a$year == "2014", ], c("age", "geo", "eu"), 2)
counts("small counts: age × geo in eu × year", a, c("age", "geo", "eu", "year"), 2)
m <- SSBtools::SSBtoolsData("magnitude1")
sales <- function(title, dimVar, ...) {
  gauss(title, function() SuppressDominantCells(data = m, numVar = "value", dimVar = dimVar, ...),
    function() hitoku_dominant_cells(m, numVar = "value", dimVar = dimVar, width = 1, ...), "value", m, dimVar)
}
sales("dominance: sector4 × geo", c("sector4", "geo"), n = 1, k = 80)
sales("dominance: sector4 in sector2 × geo in eu", c("sector4", "sector2", "geo", "eu"), n = 1:2, k = c(80, 99))

# sdc compares the methods of sdcTable on one problem.
sdc <- function(example, problem) {
  look <- function(program, protect) {
    done <- NULL
    time <- seconds_of(done <- tryCatch(quietly(protect()), error = identity))
    if (inherits(done, "error")) {
      message(example, ", ", program, ": ", conditionMessage(done))
      return(invisible())
    }
    cells <- done@problemInstance
    second <- cells@sdcStatus == "x"
    note(example, program, length(second), sum(cells@sdcStatus == "u"), sum(second), sum(cells@Freq[second]), open_in(quietly(hitoku_audit(done))), time)
  }
  for (method in c("OPT", "HITAS", "SIMPLEHEURISTIC", "GAUSS")) look(paste("sdcTable", method), function() protected(problem, method))
  look("hitoku", function() hitoku_protect_table(problem))
}
# protected returns the problem with the protection by sdcTable, whose result has only the statuses.
protected <- function(problem, method) {
  found <- as.data.frame(getInfo(protectTable(problem, method = method, verbose = FALSE), "finalData"))
  frame <- hitoku:::problem_frame(problem)
  key <- function(x) do.call(paste, c(unname(lapply(x[frame$dims], as.character)), sep = "\r"))
  problem@problemInstance@sdcStatus <- found$sdcStatus[match(key(frame$frame), key(found))]
  problem
}
tree <- function(root, ...) hier_create(root, nodes = c(...))
letters4 <- hier_add(tree("Tot", LETTERS[1:4]), "B", nodes = paste0("B", letters[1:3]))
three <- list(V1 = letters4, V2 = tree("Tot", "m", "w"), V3 = tree("Tot", letters[1:6]))
simple <- quietly(makeProblem(readRDS(file.path(vignettes, "microdat.rds")), dimList = three))
sdc("V1 × V2 × V3 (maxN 10)", quietly(primarySuppression(simple, type = "freq", maxN = 10)))
data("microdata1", package = "sdcTable")
two <- quietly(makeProblem(microdata1, dimList = list(region = tree("Total", LETTERS[1:4]), gender = tree("Total", "male", "female"))))
sdc("microdata1: region × gender (maxN 3)", quietly(primarySuppression(two, type = "freq", maxN = 3)))

found <- do.call(rbind, rows)
write.csv(found, given[2], row.names = FALSE, quote = FALSE)
said <- function(of) {
  paste0(ifelse(of$program == "hitoku", "", paste0(sub("sdcTable ", "", of$program), " ")), of$secondary, ", ", of$cost,
    ifelse(of$open > 0, paste0(", ", of$open, " open"), ""), ", ", of$seconds, " s", collapse = "; ")
}
# Examples in which all programs find the same are only in the file of figures.
differs <- function(e) any(!duplicated(found[found$example == e, c("secondary", "cost", "open")])[-1])
lines <- c("| | hitoku | others |", "|---|---|---|", vapply(Filter(differs, unique(found$example)), function(e) {
  of <- found[found$example == e, ]
  paste0("| ", e, " | ", said(of[of$program == "hitoku", ]), " | ", said(of[of$program != "hitoku", ]), " |")
}, ""))
doc <- readLines(given[3], encoding = "UTF-8")
ends <- match(c("<!-- peers -->", "<!-- /peers -->"), doc)
if (anyNA(ends)) stop(given[3], ": no place for the table")
writeLines(enc2utf8(c(doc[seq_len(ends[1])], lines, doc[ends[2]:length(doc)])), given[3], useBytes = TRUE)
