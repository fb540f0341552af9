# Reads problems of sdcTable from their slots, and returns them protected.

problem_fields <- c("cost", "status", "lpl", "upl", "spl", "lower", "upper")

# problem_frame returns an sdcProblem as the cells and trees of a table.
problem_frame <- function(object) {
  cells <- object@problemInstance
  info <- object@dimInfo
  frame <- list()
  trees <- list()
  for (d in seq_along(info@dimInfo)) {
    dim <- info@dimInfo[[d]]
    at <- info@strInfo[[d]]
    code <- substr(cells@strID, at[1], at[2])
    frame[[dim@vName]] <- dim@codesOriginal[match(code, dim@codesDefault)]
    depth_first <- order(dim@codesDefault, method = "radix")
    trees[[dim@vName]] <- by_levels(dim@levels[depth_first], dim@codesOriginal[depth_first])
  }
  sensitive <- cells@sdcStatus == "u"
  level <- function(x) ifelse(sensitive, x, NA)
  frame <- as.data.frame(frame, stringsAsFactors = FALSE, check.names = FALSE)
  frame$value <- cells@Freq
  frame$cost <- if (is.null(cells@w)) cells@Freq else cells@w
  frame$status <- c(s = "s", z = "z", u = "u", x = "m")[cells@sdcStatus]
  frame$status[is.na(frame$status)] <- "s"
  frame$lpl <- level(cells@LPL)
  frame$upl <- level(cells@UPL)
  frame$spl <- level(cells@SPL)
  frame$lower <- cells@lb
  frame$upper <- cells@ub
  list(frame = frame, trees = trees, dims = names(trees))
}

hitoku_protect.sdcProblem <- function(x, ...) {
  p <- problem_frame(x)
  hitoku_protect.default(p$frame, dims = p$dims, value = "value", columns = problem_fields, hierarchies = p$trees, ...)
}

hitoku_audit.sdcProblem <- function(x, ...) {
  p <- problem_frame(x)
  hitoku_audit.default(p$frame, dims = p$dims, value = "value", columns = problem_fields, hierarchies = p$trees, ...)
}

hitoku_protect_table <- function(object, method = "OPT", ...) {
  if (!inherits(object, "sdcProblem")) stop("hitoku_protect_table: want a problem of sdcTable, as makeProblem() makes it", call. = FALSE)
  if (!method %in% c("OPT", "HITAS", "SIMPLEHEURISTIC", "GAUSS")) stop("hitoku_protect_table: no method ", method, call. = FALSE)
  effort <- if (method == "OPT") "normal" else "quick"
  p <- problem_frame(object)
  done <- hitoku_protect.default(p$frame, dims = p$dims, value = "value", columns = problem_fields, hierarchies = p$trees, effort = effort, ...)
  key <- function(frame) do.call(paste, c(unname(lapply(frame[p$dims], as.character)), sep = "\r"))
  secondary <- match(key(done$withheld)[done$withheld$status != "sensitive"], key(p$frame))
  object@problemInstance@sdcStatus[secondary] <- "x"
  object <- getFromNamespace("c_finalize", "sdcTable")(object, input = list(method = "hitoku"))
  attr(object, "hitoku") <- done$document
  invisible(object)
}
