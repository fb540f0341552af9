# Runs the program. Data and arguments are in a folder that only its owner can open and that is removed afterwards; the command line shows only the verb.

hitoku_program <- function(program = NULL) {
  wanted <- if (!is.null(program)) program else getOption("hitoku.program", Sys.getenv("HITOKU", "hitoku"))
  if (!nzchar(wanted)) wanted <- "hitoku"
  found <- Sys.which(wanted)
  if (!nzchar(found) && file.exists(wanted)) found <- wanted
  if (!nzchar(found)) {
    stop(fault(list(kind = "system", message = paste0("no program ", wanted,
      ": give program =, set options(hitoku.program =) or the environment variable HITOKU, or put hitoku into PATH"))))
  }
  unname(normalizePath(found))
}

hitoku_available <- function() !inherits(try(hitoku_program(), silent = TRUE), "try-error")

hitoku_version <- function(program = NULL) {
  folder <- private()
  on.exit(gone(folder))
  run("version", "--json", folder, program)$documents[[1]]
}

# Folders of runs under way, which are removed if the session ends during a run.
left <- new.env()

.onLoad <- function(libname, pkgname) reg.finalizer(left, function(e) unlink(ls(e), recursive = TRUE), onexit = TRUE)

# private makes a folder for one run, accessible to its owner alone, in the folder named by options(hitoku.folder =) or the environment
# variable HITOKU_FOLDER, or else in R's temporary folder.
private <- function() {
  place <- getOption("hitoku.folder", Sys.getenv("HITOKU_FOLDER"))
  folder <- tempfile("hitoku-", if (nzchar(place)) path.expand(place) else tempdir())
  if (!dir.create(folder, mode = "0700", showWarnings = FALSE)) stop(fault(list(kind = "system", message = paste0("no folder can be made in ", dirname(folder)))))
  assign(folder, TRUE, left)
  folder
}

gone <- function(folder) {
  unlink(folder, recursive = TRUE)
  rm(list = folder, envir = left)
}

# write_lines writes UTF-8, whatever the locale.
write_lines <- function(lines, path) {
  con <- file(path, "wb")
  on.exit(close(con))
  writeLines(enc2utf8(lines), con, useBytes = TRUE)
  path
}

# arguments converts options to flags: time_limit = "10m" becomes --time-limit=10m; TRUE sets a flag; a vector or list gives it once for
# each element, and names make NAME=VALUE.
arguments <- function(options) {
  found <- character()
  if (length(options) && (is.null(names(options)) || any(!nzchar(names(options))))) stop("hitoku: options have names, like min_freq = 3", call. = FALSE)
  for (name in names(options)) {
    value <- options[[name]]
    flag <- paste0("--", gsub("_", "-", name, fixed = TRUE))
    if (!length(value)) next # for no values paste0 would return one flag
    if (isTRUE(value)) {
      found <- c(found, flag)
    } else if (identical(value, FALSE)) {
      found <- c(found, paste0(flag, "=false"))
    } else {
      text <- vapply(value, plain, "")
      if (!is.null(names(value))) text <- paste0(names(value), "=", text)
      found <- c(found, paste0(flag, "=", text))
    }
  }
  found
}

# plain returns a value in the form that the program reads.
plain <- function(x) {
  if (is.numeric(x)) number_text(x) else as.character(x)
}

# number_text writes floating-point numbers with 15 digits, so that 0.1 + 0.2 is 0.3.
number_text <- function(x) {
  out <- if (is.integer(x)) as.character(x) else sprintf("%.15g", x)
  out[is.na(x)] <- ""
  out
}

# run runs a verb. Its errors become conditions, and its remarks warnings.
run <- function(verb, args, folder, program = NULL, rows_of = NULL) {
  exe <- hitoku_program(program)
  if (any(grepl("[\r\n]", args))) stop("hitoku: no argument holds an end of line", call. = FALSE)
  given <- write_lines(args, file.path(folder, "arguments"))
  out <- file.path(folder, "stdout")
  words <- file.path(folder, "stderr")
  code <- suppressWarnings(system2(exe, shQuote(c(verb, "--json-errors", "--args-from", given)), stdout = out, stderr = words))
  prefix <- paste0(folder, .Platform$file.sep)
  text <- without(prefix, read_utf8(out))
  said <- without(prefix, read_utf8(words))
  problem <- NULL
  if (any(nzchar(said))) {
    problem <- tryCatch(jsonlite::fromJSON(paste(said, collapse = "\n"), simplifyVector = FALSE), error = function(e) NULL)
    if (is.null(problem$schema)) {
      stop(fault(list(kind = "system", message = paste0(exe, ": is no hitoku of this version: ", substr(said[1], 1, 200)))))
    }
  }
  if (!code %in% 0:3) stop(fault(list(kind = "system", message = paste0(exe, ": ended with ", code))))
  documents <- lapply(text[startsWith(text, "{\"")], jsonlite::fromJSON, simplifyVector = FALSE)
  if (code == 2) stop(fault(problem, documents, rows_of))
  remarks <- unlist(problem$said)
  for (r in remarks) remark(r)
  list(code = code, documents = documents, problem = problem, remarks = as.character(remarks), output = text)
}

remark <- function(text) warning(structure(list(message = text, call = NULL), class = c("hitoku_warning", "warning", "condition")))

read_utf8 <- function(path) {
  lines <- readLines(path, warn = FALSE, encoding = "UTF-8")
  Encoding(lines) <- "UTF-8"
  lines
}

without <- function(prefix, text) gsub(gsub("\\", "\\\\", prefix, fixed = TRUE), "", gsub(prefix, "", text, fixed = TRUE), fixed = TRUE)

# fault returns the condition for a run that failed: hitoku_usage, hitoku_input, hitoku_system, hitoku_verdict or hitoku_limit, and hitoku_error.
fault <- function(problem, documents = list(), rows_of = NULL) {
  row <- NULL
  message <- if (is.null(problem$message)) "hitoku failed" else problem$message
  if (!is.null(rows_of) && identical(problem$file, rows_of) && isTRUE(problem$line >= 2)) {
    row <- problem$line - 1L
    message <- paste0(message, " (row ", row, " of the data frame)")
  }
  structure(list(message = message, call = NULL, problem = problem, documents = documents, row = row),
    class = c(paste0("hitoku_", problem$kind), "hitoku_error", "error", "condition"))
}

first <- function(done) {
  if (!length(done$documents)) {
    problem <- done$problem
    if (is.null(problem)) problem <- list(kind = "limit", message = "stopped without a result")
    stop(fault(problem))
  }
  done$documents[[1]]
}
