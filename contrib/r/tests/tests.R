# Tests of the package against the program; without one they say so.
library(hitoku)
tests <- 0
skipped <- 0
check <- function(what, got, want) {
  tests <<- tests + 1
  same <- isTRUE(all.equal(got, want, check.attributes = FALSE))
  if (!same) {
    cat("FAIL:", what, "\n  got ")
    utils::str(got)
    cat("  want ")
    utils::str(want)
    stop(what, call. = FALSE)
  }
}
skip <- function(why) {
  skipped <<- skipped + 1
  cat("skipped:", why, "\n")
}
quiet <- function(x) withCallingHandlers(x, hitoku_warning = function(w) invokeRestart("muffleWarning"))

table <- data.frame(region = rep(c("N", "S"), each = 3), branch = rep(c("a", "b", "c"), 2),
  turnover = c(10, 20, 30, 15, 25, 35), firms = c(2, 5, 9, 4, 6, 8))
dims <- c("region", "branch")
protect <- function(x, ...) hitoku_protect(x, dims = dims, value = "turnover", freq = "firms", min_freq = 3, lpl = "15%", upl = "15%", ...)

tables <- function() {
  done <- protect(table, intervals = TRUE)
  check("cost", done$document$cost, 60)
  check("withheld", done$withheld$cell, c("N/a", "N/b", "S/a", "S/b"))
  check("status", done$withheld$status, c("sensitive", "secondary", "secondary", "secondary"))
  check("level", done$withheld$lpl, c(1.5, NA, NA, NA))
  check("protected", sum(is.na(done$table$turnover)), 4)
  check("total", done$table$turnover[done$table$region == "Total" & done$table$branch == "Total"], 135)
  audit <- hitoku_audit(done$table, dims = dims, value = "turnover", freq = "firms", width = 3)
  check("verdict", audit$verdict, "protected")
  check("intervals", audit$cells[c("lower", "upper")], done$withheld[c("lower", "upper")])
  check("printed", utils::capture.output(print(done))[1], "table: optimal, cost 60: protected, 4 of 12 cells withheld (1 sensitive, 3 secondary)")
  check("as.data.frame", nrow(as.data.frame(done)), 12)
  check("factors", protect(transform(table, region = factor(region)))$withheld$cell, done$withheld$cell)

  proof <- tempfile(fileext = ".jsonl.gz")
  protect(table, certificate = proof)
  check("certificate", hitoku_verify(proof, table, dims = dims, value = "turnover", freq = "firms", min_freq = 3, lpl = "15%", upl = "15%")$verdict, "confirmed")
  check("explain", hitoku_explain(c("S", "b"), table, dims = dims, value = "turnover", freq = "firms", min_freq = 3, lpl = "15%", upl = "15%")$is, "secondary")

  cells <- data.frame(r = c("N1", "N2", "S1", "S2"), value = c(4, 9, 7, 8), status = c("u", "", "", ""))
  for (tree in list(
    data.frame(code = c("N", "S", "N1", "N2", "S1", "S2"), parent = c("", "", "N", "N", "S", "S")),
    data.frame(levels = c("@", "@@", "@@@", "@@@", "@@", "@@@", "@@@"), codes = c("Total", "N", "N1", "N2", "S", "S1", "S2")),
    c(N = "Total", S = "Total", N1 = "N", N2 = "N", S1 = "S", S2 = "S"))) {
    got <- hitoku_protect(cells, dims = "r", columns = "status", hierarchies = list(r = tree), width = 5)$table
    check("tree", got$value[match(c("N", "S", "Total", "N1"), got$r)], c(13, 15, 28, NA))
  }
  own <- data.frame(status = rep(c("single", "married"), each = 3), branch = rep(c("a", "b", "c"), 2), n = c(10, 2, 30, 15, 25, 35), cost = c(9, 9, 1, 9, 9, 9))
  own_cost <- function(...) hitoku_protect(own, dims = c("status", "branch"), value = "n", freq = "n", below = 3, width = 5, ...)
  check("columns called like fields", quiet(own_cost())$document$cost == quiet(own_cost(columns = "cost"))$document$cost, FALSE)
  check("which is said", grepl("not read as the field that its name is: cost; columns = c(\"cost\") would", tryCatch(own_cost(), hitoku_warning = conditionMessage), fixed = TRUE), TRUE)
  check("and a dimension", sort(unique(quiet(own_cost())$table$status)), c("Total", "married", "single"))
  if (requireNamespace("tibble", quietly = TRUE)) {
    done <- protect(tibble::as_tibble(table))
    check("tibble", c(inherits(done$table, "tbl_df"), inherits(done$withheld, "tbl_df")), c(TRUE, TRUE))
  } else skip("no tibble")
  if (requireNamespace("knitr", quietly = TRUE)) {
    check("knit_print", grepl("|cell |region", as.character(knitr::knit_print(done)), fixed = TRUE), TRUE)
  } else skip("no knitr")
}

published <- function() {
  x <- data.frame(A = rep(c("a", "b", "T"), each = 3), B = rep(c("x", "y", "T"), 3), value = c(NA, 3, 7, 5, 6, 11, 9, 9, 18))
  audit <- quiet(hitoku_audit(x, dims = c("A", "B"), total = "T"))
  check("disclosed", audit$cells$verdict, "disclosed")
  check("value", c(audit$cells$lower, audit$cells$upper), c(4, 4))
  y <- data.frame(A = rep(c("M2", "M4", "Sum"), each = 3), B = rep(c("P2", "P4", "Sum"), 3), value = c(NA, NA, 23, NA, NA, 9, 23, 9, 32))
  attack <- hitoku_attack(y, dims = c("A", "B"), value = "value", freq = "value", total = "Sum", below = 5, width = 8, cost = "count", knows = c("M2/P2" = 20))
  check("attack", c(nrow(attack$cells), attack$cells$effective_lower), c(3, 3, 3, 6))
}

errors <- function() {
  e <- tryCatch(protect(transform(table, turnover = c("10", "20", "30", "zwei", "25", "35"))), hitoku_input = function(e) e)
  check("class", inherits(e, "hitoku_error"), TRUE)
  check("row", e$row, 4)
  check("where", c(e$problem$file, e$problem$field, e$problem$value), c("table.csv", "turnover", "zwei"))
  check("usage", class(tryCatch(protect(table, moat = 3), error = function(e) e))[1], "hitoku_usage")
  check("system", class(tryCatch(hitoku_audit("none.csv"), error = function(e) e))[1], "hitoku_system")
  check("verdict", class(tryCatch(hitoku_protect(table, dims = dims, value = "turnover", freq = "firms", min_freq = 3, upl = 10, margins = "publish",
    publish = c("N/b", "N/c")), error = function(e) e))[1], "hitoku_verdict")
  check("program", class(tryCatch(hitoku_version(program = "/nowhere/hitoku"), error = function(e) e))[1], "hitoku_system")
  check("column", grepl("no column moat", tryCatch(hitoku_protect(table, dims = "moat"), error = conditionMessage)), TRUE)
  check("remark", class(tryCatch(hitoku_protect(table, dims = dims, value = "turnover", freq = "firms", below = 3), warning = function(w) w))[1], "hitoku_warning")
}

# A stand-in for the program writes down what others could see of it.
confidential <- function() {
  if (.Platform$OS.type != "unix") return(skip("a shell script stands in for the program"))
  spy <- tempfile("spy")
  where <- tempfile("seen")
  writeLines(c("#!/bin/sh", "for last; do :; done", sprintf("(echo \"$@\"; stat -c %%a \"$(dirname \"$last\")\"; dirname \"$last\") > '%s'", where),
    sprintf("exec '%s' \"$@\"", hitoku_program())), spy)
  Sys.chmod(spy, "0700")
  protect(table, publish = "N/c", program = spy)
  seen <- readLines(where)
  check("command line", grepl("^suppress --json-errors --args-from [^ ]+/arguments$", seen[1]), TRUE)
  check("mode", seen[2], "700")
  check("gone", dir.exists(seen[3]), FALSE)
  place <- tempfile("place")
  dir.create(place)
  options(hitoku.folder = place)
  protect(table, publish = "N/c", program = spy)
  check("placed", dirname(readLines(where)[3]), place)
  check("and gone", length(list.files(place)), 0)
  options(hitoku.folder = file.path(place, "none"))
  check("no place", class(tryCatch(protect(table), error = function(e) e))[1], "hitoku_system")
  options(hitoku.folder = NULL)
}

risk <- function() {
  persons <- data.frame(zip = c("47677", "47677", "47602", "47602", "47602"), age = "2*", disease = c("flu", "cold", "flu", "flu", "ulcer"), w = 20)
  qi <- c("zip", "age")
  k <- quiet(hitoku_k(persons, qi, min_k = 3))
  check("k", c(k$k, k$kept), c(2, FALSE))
  check("printed", any(grepl("^ k +2", utils::capture.output(print(k)))), TRUE)
  check("l", quiet(hitoku_l(persons, qi, "disease"))$distinct_l, 2)
  check("t", quiet(hitoku_t(persons, qi, "disease"))$t, "3/10")
  people <- data.frame(zip = c("47677", "47602"), age = "2*", people = c(8, 4))
  check("k-map", quiet(hitoku_k_map(persons, qi, population = people, count = "people"))$k_map, 4)
  check("delta", quiet(hitoku_delta(persons, qi, population = people, count = "people"))$delta_max, "3/4")
  check("survey", quiet(hitoku_survey(persons, qi, "w"))$status, "ok")
  check("uniques", quiet(hitoku_uniques(persons, qi, 1000))$status, "ok")
  check("measure", hitoku_measure("sampling", n = 100, n0 = 10, m = 5)$metric, "sampling")
}

gauss <- function() {
  data <- expand.grid(region = c("A", "B", "C", "D"), age = c("young", "old"), stringsAsFactors = FALSE)
  data$area <- ifelse(data$region %in% c("A", "B"), "north", "south")
  data$freq <- c(8, 2, 9, 7, 6, 5, 9, 4)
  out <- quiet(hitoku_small_counts(data, maxN = 2, freqVar = "freq", dimVar = c("region", "area", "age")))
  check("columns", names(out), c("region", "age", "freq", "primary", "suppressed"))
  check("codes", sort(unique(out$region)), sort(c("A", "B", "C", "D", "north", "south", "Total")))
  check("primary", out[out$primary, c("region", "age", "freq")], data.frame("B", "young", 2))
  check("values stay", out$freq[out$region == "north" & out$age == "Total"], 21)
  check("audit of an output", quiet(hitoku_audit(out, dims = c("region", "age"), value = "freq",
    hierarchies = list(region = c(north = "Total", south = "Total", A = "north", B = "north", C = "south", D = "south"))))$verdict, "protected")
  bad <- out
  bad$suppressed <- bad$primary
  check("audit of a bad output", quiet(hitoku_audit(bad, dims = c("region", "age"), value = "freq",
    hierarchies = list(region = c(north = "Total", south = "Total", A = "north", B = "north", C = "south", D = "south"))))$cells$verdict, "disclosed")
  tree <- quiet(hitoku_small_counts(aggregate(freq ~ region + area, data, sum), maxN = 8, freqVar = "freq", dimVar = c("region", "area")))
  check("a tree alone", c(nrow(tree), sum(tree$primary)), c(7, 1))
  bands <- expand.grid(region = c("A", "B", "C", "D"), age = c("a1", "a2", "a3", "a4"), stringsAsFactors = FALSE)
  bands$area <- ifelse(bands$region < "C", "north", "south")
  bands$band <- ifelse(bands$age < "a3", "young", "old")
  bands$freq <- c(8, 2, 9, 7, 6, 5, 9, 4, 1, 8, 9, 9, 12, 3, 4, 7)
  every <- quiet(hitoku_small_counts(bands, maxN = 2, freqVar = "freq", dimVar = c("region", "area", "age", "band")))
  check("trees in all dimensions", sort(paste(every$region, every$age)[every$primary]), c("A a3", "B a1"))
  given <- list(region = c(north = "Total", south = "Total", A = "north", B = "north", C = "south", D = "south"),
    age = c(young = "Total", old = "Total", a1 = "young", a2 = "young", a3 = "old", a4 = "old"))
  key <- function(x) sort(paste(x$region, x$age)[x$suppressed])
  check("given trees", key(quiet(hitoku_small_counts(bands, maxN = 2, freqVar = "freq", hierarchies = given))), key(every))
  large <- quiet(hitoku_dominant_cells(bands, numVar = "freq", n = 1, k = 99, dimVar = c("region", "area", "age", "band")))
  check("dominant cells under trees", sum(large$primary), 16)
  linked <- quiet(hitoku_small_counts(transform(data, sex = c("f", "m", "m", "f", "m", "f", "f", "m")), maxN = 2, freqVar = "freq", formula = ~ region * age + region * sex))
  check("formula", c(nrow(linked), sum(linked$primary)), c(5 * 3 + 5 * 2, 2))
  check("no margin", grepl("without its margin", tryCatch(hitoku_small_counts(data, freqVar = "freq", formula = ~ region:age), error = conditionMessage)), TRUE)
  zeros <- quiet(hitoku_small_counts(data[-1, ], maxN = 0, freqVar = "freq", dimVar = c("region", "age")))
  check("zeros", zeros$primary[zeros$freq == 0], TRUE)
  records <- data.frame(branch = rep(c("a", "b"), each = 6), size = rep(c("x", "y", "z"), 4), num = c(100, 2, 30, 40, 5, 60, 7, 80, 9, 10, 11, 12), id = paste0("f", 1:12))
  found <- hitoku_dominant_cells(records, n = 1, k = 85, numVar = "num", dimVar = c("branch", "size"), contributorVar = "id")
  check("dominant", paste(found$branch, found$size)[found$primary], "b y")
}

# The calls of GaussSuppression beside ours: the same primary cells, and what either withholds is safe to the audit.
beside <- function() {
  if (!suppressWarnings(requireNamespace("GaussSuppression", quietly = TRUE))) return(skip("no GaussSuppression"))
  set.seed(1)
  data <- expand.grid(region = c("A", "B", "C", "D"), age = c("old", "young", "mid"), sex = c("f", "m"), stringsAsFactors = FALSE)
  data$area <- c(A = "north", B = "north", C = "south", D = "south")[data$region]
  data$freq <- sample(1:20, nrow(data), replace = TRUE)
  trees <- list(region = c(north = "Total", south = "Total", A = "north", B = "north", C = "south", D = "south"))
  dims <- c("region", "area", "age", "sex")
  utils::capture.output(theirs <- suppressMessages(GaussSuppression::SuppressSmallCounts(data, maxN = 3, protectZeros = FALSE, freqVar = "freq", dimVar = dims)))
  ours <- quiet(hitoku_small_counts(data, maxN = 3, protectZeros = FALSE, freqVar = "freq", dimVar = dims))
  key <- function(x) paste(x$region, x$age, x$sex)
  check("columns", names(ours), names(as.data.frame(theirs)))
  check("cells", sort(key(ours)), sort(key(theirs)))
  check("primary", sort(key(ours)[ours$primary]), sort(key(theirs)[theirs$primary]))
  for (out in list(ours, as.data.frame(theirs)))
    check("safe", quiet(hitoku_audit(out, dims = c("region", "age", "sex"), value = "freq", hierarchies = trees))$verdict, "protected")
  money <- data.frame(branch = rep(c("a", "b"), each = 6), size = rep(c("x", "y", "z"), 4), num = c(100, 2, 30, 40, 5, 60, 7, 80, 9, 10, 11, 12), id = paste0("f", 1:12))
  utils::capture.output(theirs <- tryCatch(suppressMessages(GaussSuppression::SuppressDominantCells(money, n = 1, k = 85, numVar = "num", dimVar = c("branch", "size"), contributorVar = "id")),
    error = conditionMessage))
  if (is.character(theirs)) return(skip(paste("SuppressDominantCells does not run here:", theirs))) # so with the Matrix of Debian 12
  ours <- quiet(hitoku_dominant_cells(money, n = 1, k = 85, numVar = "num", dimVar = c("branch", "size"), contributorVar = "id"))
  check("dominant", sort(paste(ours$branch, ours$size)[ours$primary]), sort(paste(theirs$branch, theirs$size)[theirs$primary]))
}

sdc <- function() {
  if (!suppressWarnings(suppressPackageStartupMessages(require("sdcTable", quietly = TRUE)))) return(skip("no sdcTable"))
  problem <- sdcTable::sdc_testproblem(with_supps = TRUE)
  done <- quiet(hitoku_protect_table(problem))
  final <- sdcTable::getInfo(done, "finalData")
  check("secondary", c(sum(final$sdcStatus == "u"), sum(final$sdcStatus == "x"), sdcTable::getInfo(done, "nrSecondSupps")), c(1, 3, 3))
  check("rows", nrow(final), 15)
  check("audit", quiet(hitoku_audit(done))$verdict, "protected")
  open <- problem
  check("audit of the primary alone", quiet(hitoku_audit(open))$verdict, "unprotected")
  check("protect", quiet(hitoku_protect(problem))$document$suppressed, 4)
  tree <- data.frame(levels = c("@", "@@", "@@@", "@@@", "@@"), codes = c("all", "n", "n1", "n2", "s"))
  data <- data.frame(region = rep(c("n1", "n2", "s"), each = 2), sex = rep(c("f", "m"), 3), freq = c(2, 7, 8, 9, 6, 5))
  p <- sdcTable::makeProblem(data, dimList = list(region = tree, sex = data.frame(levels = c("@", "@@", "@@"), codes = c("all", "f", "m"))), freqVarInd = 3)
  p <- sdcTable::primarySuppression(p, type = "freq", maxN = 2)
  final <- as.data.frame(sdcTable::getInfo(quiet(hitoku_protect_table(p, method = "HITAS")), "finalData"))
  check("hierarchy", final$sdcStatus[final$region == "n1" & final$sex == "f"], "u")
  check("hierarchy", sum(final$sdcStatus == "x") >= 3, TRUE)
}

# The vignettes, chunk by chunk, where they are.
vignettes <- function() {
  files <- list.files(c(system.file("doc", package = "hitoku"), Sys.getenv("HITOKU_VIGNETTES")), pattern = "\\.Rmd$", full.names = TRUE)
  if (!length(files)) return(skip("no vignettes"))
  for (f in unique(files)) chunks(f, "^```\\{r")
}

# The examples of docs, where the project is; they run in its folder.
docs <- function() {
  root <- Sys.getenv("HITOKU_ROOT")
  if (!nzchar(root)) return(skip("no docs: set HITOKU_ROOT"))
  before <- setwd(root)
  on.exit(setwd(before))
  for (f in c("docs/r.md", "docs/same-in.md")) chunks(f, "^```r$")
}

chunks <- function(f, begin) {
  lines <- readLines(f, encoding = "UTF-8")
  starts <- grep(begin, lines)
  ends <- vapply(starts, function(s) s + which(lines[-seq_len(s)] == "```")[1], 0)
  here <- new.env()
  for (k in seq_along(starts)) {
    code <- lines[seq_len(ends[k] - starts[k] - 1) + starts[k]]
    quiet(eval(parse(text = code, encoding = "UTF-8"), here))
    check(paste(basename(f), starts[k]), TRUE, TRUE)
  }
}

if (hitoku_available()) {
  for (f in list(tables, published, errors, confidential, risk, gauss, beside, sdc, vignettes, docs)) f()
} else skip("no program hitoku: set HITOKU")
cat(tests, "passed, 0 failed,", skipped, "skipped\n")
