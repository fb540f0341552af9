# Runs the batch functions of sdcTable: microdata and tables, all methods, hierarchies with a code
# without records and with codes that repeat the one above, and the example of the
# help page of createArgusInput as it stands.
#
#   Rscript sdctable.R EXAMPLE.R RESULTS
#
# RESULTS/n_name/ has table.tab, table.rda and call.txt, as those of calls.R.
suppressPackageStartupMessages(library(sdcTable))
options(useFancyQuotes = FALSE)
exe <- Sys.getenv("TAUARGUS_EXE")
args <- commandArgs(trailingOnly = TRUE)
results <- args[2]
dir.create("batch", showWarnings = FALSE)

# below are a code and those below it, with the code above one that is the only part of it.
below <- function(hier, code) {
  tree <- hier_convert(hier, as = "df")
  level <- nchar(tree$level)
  i <- match(code, tree$name)
  only <- i > 1 && level[i - 1] < level[i] && !any(cumprod(level[-seq_len(i)] >= level[i]) == 1 & level[-seq_len(i)] == level[i])
  if (only) return(tree$name[c(i - 1, i)])
  j <- i
  while (j < nrow(tree) && level[j + 1] > level[i]) j <- j + 1
  tree$name[i:j]
}

# number formats without loss.
digits <- function(x) sub("\\.?0+$", "", sprintf("%.6f", x))

# levels is the lower and upper level of a cell with contributions x by the rules of the problem:
# FREQ(5,20) and P(20,5); NULL if it is safe.
levels_of <- function(x) {
  if (length(x) == 0) return(NULL)
  s <- sort(abs(x), decreasing = TRUE)
  total <- sum(x)
  first <- 0.2 * s[1] + sum(head(s, 6)) - total
  if (first > 1e-9) return(max(first, 0.01))
  if (length(x) < 5) return(0.2 * abs(total))
  NULL
}

n <- 0
# note runs one batch and writes down what came back. want has, for each cell, its value and level.
note <- function(name, batch, obj, dims, hiers, want) {
  n <<- n + 1
  dir <- file.path(results, sprintf("%02d_%s", n, gsub("[^A-Za-z0-9]+", "_", name)))
  dir.create(dir, recursive = TRUE)
  began <- proc.time()[["elapsed"]]
  out <- tryCatch(runArgusBatchFile(obj = obj, batchF = batch, exe = exe, batchDataDir = "./batch"),
                  error = function(e) conditionMessage(e))
  say <- c(paste0("call: ", name), paste0("seconds: ", round(proc.time()[["elapsed"]] - began, 1)))
  if (is.character(out)) {
    log <- sub("<LOGBOOK> ", "", grep("LOGBOOK", readLines(batch), value = TRUE))
    log <- gsub('"', "", log)
    say <- c(say, paste("failed:", gsub("\n", " ", out), if (file.exists(log)) paste(tail(readLines(log), 2), collapse = " ")))
  } else {
    key <- function(d) do.call(paste, c(lapply(dims, function(v) d[[v]]), sep = "/"))
    at <- match(key(out), key(want))
    value <- suppressWarnings(as.numeric(out$cellvalue))
    value[is.na(value) & out$sdcStatus_argus == "z"] <- 0
    got <- out$sdcStatus_argus
    away <- got %in% c("u", "x")
    said <- !is.na(want$level[at])
    wrong <- sum(is.na(at)) + sum(is.na(value)) + sum(abs(value - want$value[at]) > 0.006, na.rm = TRUE) + sum(!got %in% c("s", "u", "x", "z"))
    say <- c(say, "table: 1", paste0("rows: ", nrow(out)), paste0("wanted: ", nrow(want)), paste0("missing: ", wrong),
             paste0("primary: ", sum(got == "u")), paste0("open: ", sum(said & !away) + sum(got == "u" & !said)),
             paste0("secondary: ", sum(got == "x")), paste0("cost: ", digits(sum(abs(value[got == "x"])))))
    level <- ifelse(said, want$level[at], 0)
    status <- ifelse(said, "u", ifelse(away, "m", "s"))
    lines <- do.call(paste, c(lapply(dims, function(d) paste0('"', out[[d]], '"')),
                              list(digits(want$value[at]), status, digits(pmin(level, abs(want$value[at]))), digits(level)), sep = ";"))
    lines <- lines[!duplicated(key(out))]
    writeLines(lines, file.path(dir, "table.tab"))
    rda <- c('<SEPARATOR> ";"', "<SAFE> s", "<UNSAFE> u")
    for (d in dims) {
      tree <- hier_convert(hiers[[d]], as = "df")[-1, ]
      writeLines(paste0(strrep("@", nchar(tree$level) - 2), tree$name), file.path(dir, paste0(d, ".hrc")))
      rda <- c(rda, d, "  <RECODEABLE>", '  <TOTCODE> "Total"', "  <HIERARCHICAL>", paste0('  <HIERCODELIST> "', d, '.hrc"'), '  <HIERLEADSTRING> "@"')
    }
    writeLines(c(rda, "value", "  <NUMERIC>", "  <DECIMALS> 6", "status", "  <STATUS>", "lpl", "  <NUMERIC> <LOWERPL>", "upl", "  <NUMERIC> <UPPERPL>"),
               file.path(dir, "table.rda"))
  }
  writeLines(say, file.path(dir, "call.txt"))
  cat(paste(say, collapse = " | "), "\n")
}

# cells is every cell of the problem with its value and the level that the rules ask for.
cells <- function(data, hiers, response, rule) {
  codes <- lapply(hiers, function(h) hier_convert(h, as = "df")$name)
  want <- expand.grid(codes, stringsAsFactors = FALSE)
  got <- lapply(seq_len(nrow(want)), function(i) {
    mine <- rep(TRUE, nrow(data))
    for (d in names(hiers)) mine <- mine & data[[d]] %in% below(hiers[[d]], want[[d]][i])
    x <- if (is.null(response)) rep(1, sum(mine)) else data[[response]][mine]
    l <- rule(x)
    c(sum(x), if (is.null(l)) NA else l)
  })
  want$value <- sapply(got, `[`, 1)
  want$level <- sapply(got, `[`, 2)
  want
}

version <- argusVersion(exe)
cat("version", version$version, "build", version$build, "\n")
stopifnot(nchar(version$version) > 0, nchar(version$build) > 0)

utils::data("microdata1", package = "sdcTable")
set.seed(1)
microdata1$num1 <- round(abs(rnorm(mean = 100, sd = 25, nrow(microdata1))), 2)
microdata1$num2 <- round(rnorm(mean = 500, sd = 125, nrow(microdata1)), 2)
microdata1$weight <- sample(10:100, nrow(microdata1), replace = TRUE)
gender <- hier_create(root = "Total", nodes = c("male", "female"))
repeated <- hier_create(root = "Total", nodes = LETTERS[1:4])
repeated <- hier_add(repeated, root = "B", nodes = "b1")
repeated <- hier_add(repeated, root = "D", nodes = "d1")
regions <- list(plain = hier_create(root = "Total", nodes = LETTERS[1:4]),
                empty = hier_create(root = "Total", nodes = LETTERS[1:5]), # no record has E
                repeated = repeated)
rules <- list(list(type = "freq", n = 5, rg = 20), list(type = "p", n = 5, p = 20))
for (kind in names(regions)) {
  hiers <- list(region = regions[[kind]], gender = gender)
  data <- microdata1
  problem <- makeProblem(data = data, dimList = hiers, dimVarInd = 1:2, numVarInd = 3:5)
  for (method in c("OPT", "MOD", "GH")) {
    for (response in c("num1", "<freq>")) {
      batch <- createArgusInput(obj = problem, typ = "microdata", path = "./batch", solver = "FREE", method = method,
                                primSuppRules = rules, responsevar = response)
      want <- cells(data, hiers, if (response != "<freq>") response,
                    if (response != "<freq>") levels_of
                    else function(x) levels_of(rep(1, length(x))))
      note(paste(kind, "microdata", response, method), batch, problem, names(hiers), hiers, want)
    }
    unsafe <- primarySuppression(problem, type = "freq", maxN = 12)
    batch <- createArgusInput(obj = unsafe, typ = "tabular", path = "./batch", solver = "FREE", method = method, responsevar = "freq")
    want <- cells(data, hiers, NULL, function(x) if (length(x) > 0 && length(x) <= 12) 1)
    note(paste(kind, "tabular", method), batch, unsafe, names(hiers), hiers, want)
  }
  batch <- createArgusInput(obj = problem, typ = "tabular", path = "./batch", solver = "FREE", method = "OPT", responsevar = "freq")
  note(paste(kind, "tabular, nothing unsafe"), batch, problem, names(hiers), hiers, cells(data, hiers, NULL, function(x) NULL))
}

# The example of the help page makes obj, obj_dupl and the batches; that with a licence of CPLEX cannot be.
for (e in as.list(parse(args[1], encoding = "UTF-8"))) {
  if (!any(grepl("CPLEX", deparse(e)))) eval(e, globalenv())
}
for (b in c("bO_md1", "bO_td1", "bO_td2")) {
  n <- n + 1
  dir <- file.path(results, sprintf("%02d_%s", n, b))
  dir.create(dir, recursive = TRUE)
  began <- proc.time()[["elapsed"]]
  out <- tryCatch(runArgusBatchFile(obj = if (b == "bO_td2") obj_dupl else obj, batchF = get(b), exe = exe),
                  error = function(e) conditionMessage(e))
  say <- c(paste0("call: help page, ", b), paste0("seconds: ", round(proc.time()[["elapsed"]] - began, 1)))
  say <- c(say, if (is.character(out)) paste("failed:", gsub("\n", " ", out))
           else c("table: 1", paste0("rows: ", nrow(out)), paste0("wanted: ", if (b == "bO_td2") 21 else 15),
                  paste0("missing: ", sum(is.na(as.numeric(out$cellvalue)))), paste0("primary: ", sum(out$sdcStatus_argus == "u")),
                  "open: 0", paste0("secondary: ", sum(out$sdcStatus_argus == "x"))))
  writeLines(say, file.path(dir, "call.txt"))
  cat(paste(say, collapse = " | "), "\n")
}
