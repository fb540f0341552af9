# Runs the code of a vignette or of a help page of rtauargus, expression by expression,
# as it stands, and writes down what each call of the program gave back:
#
#   Rscript calls.R CODE.R RESULTS
#
# RESULTS/n_name/ has a table for each data frame of the result: table.tab and table.rda as
# τ-ARGUS has them, with the status of every cell, and call.txt, lines "key: value".
suppressPackageStartupMessages({
  library(dplyr)
  library(rtauargus)
})
args <- commandArgs(trailingOnly = TRUE)
results <- args[2]

# protecting are the functions that start the program and give back tables.
protecting <- c("tab_rtauargus", "tab_rtauargus2", "tab_rtauargus4", "tab_multi_manager",
                "micro_rtauargus", "rtauargus_plus", "run_arb")

# protects is the call of one of them in an expression, NULL if there is none.
protects <- function(e) {
  if (!is.call(e)) return(NULL)
  if (is.name(e[[1]]) && as.character(e[[1]]) %in% protecting) return(e)
  if (is.name(e[[1]]) && as.character(e[[1]]) == "function") return(NULL)
  for (part in as.list(e)[-1]) {
    if (!missing(part) && !is.null(found <- protects(part))) return(found)
  }
  NULL
}

# argument is an argument of a call, evaluated, or the default.
argument <- function(call, name, default = NULL) {
  if (is.null(call[[name]])) default else eval(call[[name]], globalenv())
}

# of is the entry of a named list or vector, its only one if it has no names, else the default.
of <- function(x, name, default = NULL) {
  if (is.null(x)) default
  else if (is.null(names(x))) { if (length(x) == 1) x[[1]] else default }
  else if (name %in% names(x)) x[[name]]
  else default
}

# digits writes numbers so that nothing is lost that matters, without exponents.
digits <- function(x) sub("\\.?0+$", "", sprintf("%.6f", x))

# record writes one protected table: unsafe are its primary cells, withheld all that are not published.
record <- function(dir, name, table, dims, value, freq, unsafe, withheld, hrc, totals, rows, call) {
  dir.create(dir, recursive = TRUE, showWarnings = FALSE)
  v <- suppressWarnings(as.numeric(table[[value]]))
  n <- suppressWarnings(as.numeric(table[[freq]]))
  # Cells that the call calls secret itself have a percentage of their value as level, or none; others that of the rules.
  ip <- if (!is.null(argument(call, "secret_var"))) argument(call, "ip", argument(call, "ip_start", 10))
  bare <- argument(call, "secret_no_pl")
  most <- argument(call, "maxscore")
  say <- c(paste0("table: ", name), paste0("audit: --readtable 1T", if (is.null(ip)) paste(" --rules", argument(call, "safety_rules"))), paste0("rows: ", nrow(table)), paste0("wanted: ", rows),
           paste0("missing: ", sum(is.na(v)) + sum(is.na(unsafe)) + sum(is.na(withheld))),
           paste0("primary: ", sum(unsafe, na.rm = TRUE)),
           paste0("open: ", sum(unsafe & !withheld, na.rm = TRUE)),
           paste0("secondary: ", sum(withheld & !unsafe, na.rm = TRUE)),
           paste0("cost: ", digits(sum(abs(v[withheld & !unsafe]), na.rm = TRUE))))
  status <- ifelse(unsafe, "u", ifelse(withheld, "m", "s"))
  lines <- do.call(paste, c(lapply(dims, function(d) paste0('"', table[[d]], '"')), list(digits(v), digits(n), status, sep = ";")))
  if (!is.null(ip)) {
    level <- digits(ifelse(unsafe & !(if (is.null(bare)) FALSE else table[[bare]]), abs(v) * ip / 100, 0))
    lines <- paste(lines, level, level, sep = ";")
  }
  if (!is.null(most)) lines <- paste(lines, digits(table[[most]]), sep = ";")
  writeLines(lines, file.path(dir, "table.tab"))
  rda <- c('<SEPARATOR> ";"', "<SAFE> s", "<UNSAFE> u")
  for (d in dims) {
    rda <- c(rda, d, "  <RECODEABLE>", paste0('  <TOTCODE> "', of(totals, d, "Total"), '"'))
    if (!is.null(h <- of(hrc, d)) && !is.null(names(hrc))) {
      rda <- c(rda, "  <HIERARCHICAL>", paste0('  <HIERCODELIST> "', normalizePath(h), '"'), '  <HIERLEADSTRING> "@"')
    }
  }
  rda <- c(rda, value, "  <NUMERIC>", "  <DECIMALS> 6", freq, "  <FREQUENCY>", "status", "  <STATUS>")
  if (!is.null(ip)) rda <- c(rda, "lower", "  <NUMERIC> <LOWERPL>", "upper", "  <NUMERIC> <UPPERPL>")
  if (!is.null(most)) rda <- c(rda, most, "  <MAXSCORE>")
  writeLines(rda, file.path(dir, "table.rda"))
  say
}

# raw_output is what the program wrote where the package gives nothing back: the table for pivot tables,
# with the letters of the statuses of the other.
raw_output <- function(call, input) {
  path <- list.files(argument(call, "dir_name"), "[.]csv$", full.names = TRUE)
  got <- read.csv(path[1], colClasses = "character")
  dims <- argument(call, "explanatory_vars")
  got[dims] <- lapply(got[dims], trimws)
  out <- merge(input, got[c(dims, "Status")], by = dims)
  out$Status <- ifelse(out$Status %in% c("1", "2", "10"), "V", ifelse(out$Status %in% c("11", "12"), "D", "B"))
  out
}

# one is the result of a call that protects one table.
one <- function(dir, call, fun, out) {
  input <- argument(call, "tabular")
  if (is.null(input)) input <- eval(call[[2]], globalenv())
  if (is.list(out) && !is.data.frame(out)) out <- out[[1]]
  if (is.null(out)) out <- raw_output(call, input)
  dims <- argument(call, "explanatory_vars")
  totals <- argument(call, "totcode", "Total")
  if (is.null(names(totals)) && length(totals) == length(dims)) names(totals) <- dims
  value <- argument(call, "value")
  freq <- argument(call, "freq", "Freq")
  last <- out[[ncol(out)]]
  prim <- argument(call, "secret_var")
  unsafe <- if (!is.null(prim)) out[[prim]] else out$Status %in% c("A", "B", "C", "F")
  withheld <- if (is.logical(last)) last else ifelse(is.na(out$Status), NA, out$Status != "V")
  record(dir, "1", out, dims, value, freq, unsafe, withheld, argument(call, "hrc"), totals, nrow(input), call)
}

# several are the results of tab_multi_manager.
several <- function(dir, call, fun, out) {
  input <- argument(call, "list_tables")
  dims <- argument(call, "list_explanatory_vars")
  say <- character()
  for (name in names(out)) {
    t <- out[[name]]
    hrc <- c(as.list(argument(call, "alt_hrc", list())[[name]]), as.list(argument(call, "hrc")))
    totals <- c(as.list(argument(call, "alt_totcode", list())[[name]]), as.list(argument(call, "totcode", "Total")))
    if (length(totals) > 1 && is.null(names(totals))) names(totals) <- dims[[name]]
    hrc <- hrc[!duplicated(names(hrc))]
    totals <- if (length(totals) > 1) totals[names(totals) != "" & !duplicated(names(totals))] else totals
    say <- c(say, record(file.path(dir, name), name, t, dims[[name]], argument(call, "value"), argument(call, "freq", "Freq"),
                         t[[argument(call, "secret_var")]], t[[ncol(t)]], hrc, totals, nrow(input[[name]]), call))
  }
  say
}

# counted are tables as the program gave them back, with a status of their own.
counted <- function(dir, call, fun, out) {
  if (!is.list(out)) { # nothing was asked back: what the log of the last run says
    log <- readLines("logbook.txt", warn = FALSE)
    log <- log[tail(grep("Start of batch procedure", log), 1):length(log)]
    n <- as.integer(sub(".*Number of suppressions: ", "", grep("Number of suppressions: ", log, value = TRUE)))
    return(as.vector(rbind(paste0("table: ", seq_along(n)), "rows: 1", "wanted: 1", paste0("secondary: ", n))))
  }
  if (is.data.frame(out)) out <- list(out)
  say <- character()
  for (i in seq_along(out)) {
    t <- out[[i]]
    shown <- if ("Status" %in% names(t)) t$Status else rep("", nrow(t))
    say <- c(say, paste0("table: ", i), paste0("rows: ", nrow(t)), paste0("wanted: ", nrow(t)),
             paste0("missing: ", sum(is.na(shown))), paste0("primary: ", sum(shown %in% c("A", "B", "C", "F"))),
             "open: 0", paste0("secondary: ", sum(shown == "D")))
    write.csv(t, file.path(dir, paste0("table", i, ".csv")), row.names = FALSE)
  }
  say
}

n <- 0
for (e in as.list(parse(args[1], encoding = "UTF-8"))) {
  call <- protects(e)
  began <- proc.time()[["elapsed"]]
  out <- tryCatch({ withCallingHandlers(eval(e, globalenv()), warning = function(w) invokeRestart("muffleWarning")) },
                  error = function(err) structure(list(message = conditionMessage(err)), class = "failed"))
  if (is.null(call)) {
    if (inherits(out, "failed")) cat("passed over:", deparse(e)[1], ":", out$message, "\n")
    next
  }
  n <- n + 1
  fun <- as.character(call[[1]])
  dir <- file.path(results, sprintf("%02d_%s", n, fun))
  dir.create(dir, recursive = TRUE, showWarnings = FALSE)
  say <- c(paste0("call: ", fun), paste0("seconds: ", round(proc.time()[["elapsed"]] - began, 1)))
  if (inherits(out, "failed")) {
    # The same where there is no program: then it is not the program that failed.
    set <- options(rtauargus.tauargus_exe = file.path(results, "no", "TauArgus.exe"))
    without <- tryCatch({ suppressWarnings(eval(e, globalenv())); "" }, error = conditionMessage)
    options(set)
    say <- c(say, paste0("failed: ", gsub("\n", " ", out$message)), paste0("without: ", gsub("\n", " ", without)))
  } else {
    tables <- switch(fun, tab_rtauargus = , tab_rtauargus2 = , tab_rtauargus4 = one, tab_multi_manager = several, counted)
    say <- c(say, tryCatch(tables(dir, match.call(get(fun), call), fun, out),
                           error = function(err) paste0("failed: the result cannot be read: ", conditionMessage(err))))
  }
  writeLines(say, file.path(dir, "call.txt"))
  cat(paste(say, collapse = " | "), "\n")
}
