# Calls in the shape of GaussSuppression: inner data in, a table with all margins and the columns primary and suppressed out.

# gauss_published returns what is published of an output of GaussSuppression: it removes the numbers of suppressed cells.
gauss_published <- function(x, value, freq) {
  out <- as.data.frame(x)
  numbers <- unique(c(value, freq, intersect(c("freq", "value"), names(out))))
  hidden <- out$suppressed %in% TRUE
  for (n in intersect(numbers, names(out))) out[[n]][hidden] <- NA
  out$status <- ifelse(!hidden, "s", ifelse(out$primary %in% TRUE, "u", "m"))
  out[setdiff(names(out), c("primary", "suppressed"))]
}

# names_of returns the names of columns that are given by name or number.
names_of <- function(data, which) if (is.numeric(which)) names(data)[which] else which

# dimensions finds the dimensions among columns of which some are coarser codes of others: the finest ones, each with a tree if it has coarser ones.
dimensions <- function(data, vars, hierarchies) {
  vars <- setdiff(names_of(data, vars), names(hierarchies))
  coarser <- function(fine, coarse) {
    pairs <- unique(data[c(fine, coarse)])
    !anyDuplicated(pairs[[1]]) && length(unique(pairs[[2]])) < length(unique(pairs[[1]]))
  }
  above <- lapply(stats::setNames(vars, vars), function(v) vars[vapply(vars, function(w) w != v && coarser(v, w), NA)])
  leaves <- setdiff(vars, unlist(above))
  trees <- list()
  for (leaf in leaves) {
    chain <- above[[leaf]]
    if (!length(chain)) next
    chain <- chain[order(-vapply(chain, function(v) length(unique(data[[v]])), 0))]
    for (k in seq_along(chain)[-1]) {
      if (!chain[k] %in% above[[chain[k - 1]]]) {
        stop("hitoku: ", chain[k - 1], " and ", chain[k], " are both coarser than ", leaf, " and no tree; give one of them, or hierarchies", call. = FALSE)
      }
    }
    path <- c(leaf, chain)
    codes <- lapply(data[path], as.character)
    rows <- lapply(seq_along(path), function(k) {
      up <- if (k < length(path)) codes[[k + 1]] else rep("Total", nrow(data))
      unique(data.frame(code = codes[[k]], parent = up))
    })
    tree <- do.call(rbind, rows)
    if (anyDuplicated(tree$code)) stop("hitoku: codes of ", paste(path, collapse = ", "), " stand for several things", call. = FALSE)
    trees[[leaf]] <- rbind(data.frame(code = "Total", parent = ""), tree)
  }
  flat <- vapply(hierarchies, function(h) is.character(h) && length(h) == 1 && is.null(names(h)) && !file.exists(h), NA)
  totals <- c(stats::setNames(rep("Total", length(setdiff(leaves, names(trees)))), setdiff(leaves, names(trees))), unlist(hierarchies[flat]))
  list(dims = c(leaves, names(hierarchies)), trees = c(trees, hierarchies[!flat]), totals = totals)
}

# formula_tables returns the tables of a model formula: the variables of each term that no other term contains.
formula_tables <- function(formula) {
  terms <- stats::terms(formula)
  if (!attr(terms, "intercept")) stop("hitoku: a formula without the total cannot be asked for", call. = FALSE)
  factors <- attr(terms, "factors") > 0
  sets <- lapply(seq_len(ncol(factors)), function(k) rownames(factors)[factors[, k]])
  has <- function(set) any(vapply(sets, setequal, NA, set))
  for (s in sets) {
    for (v in s) {
      if (length(s) > 1 && !has(setdiff(s, v))) stop("hitoku: the formula has ", paste(s, collapse = ":"), " without its margin ", paste(setdiff(s, v), collapse = ":"), call. = FALSE)
    }
  }
  sets[!vapply(seq_along(sets), function(k) any(vapply(sets[-k], function(o) all(sets[[k]] %in% o), NA)), NA)]
}

# gauss_shape returns a table in the form of GaussSuppression: dimensions, number, primary, suppressed, with totals first.
gauss_shape <- function(table, dims, number, extra = character()) {
  out <- as.data.frame(table)
  status <- out$status
  out$primary <- status == "u"
  out$suppressed <- status %in% c("u", "m")
  rownames(out) <- NULL
  out[c(dims, number, extra, "primary", "suppressed")]
}

# with_values restores the withheld numbers, as the output of GaussSuppression is for the office.
with_values <- function(table, withheld, dims, number) {
  key <- function(frame) do.call(paste, c(unname(lapply(as.data.frame(frame)[dims], as.character)), sep = "\r"))
  at <- match(key(withheld), key(table))
  table[[number]][at] <- withheld$value
  table
}

hitoku_small_counts <- function(data, maxN = 3, freqVar = NULL, dimVar = NULL, hierarchies = NULL, formula = NULL, protectZeros = TRUE, extend0 = protectZeros,
                                weightVar = NULL, program = NULL, ...) {
  of <- data
  data <- as.data.frame(data)
  number <- if (is.null(freqVar)) "freq" else names_of(data, freqVar)
  if (is.null(freqVar)) data$freq <- 1L
  if (!is.null(formula)) {
    tables <- formula_tables(formula)
    d <- dimensions(data, unique(unlist(tables)), list())
    if (length(d$trees)) stop("hitoku: in a formula ", names(d$trees)[1], " has coarser codes beside it; give dimVar or hierarchies instead", call. = FALSE)
    return(small_counts_linked(of, data, tables, maxN, number, protectZeros, extend0, program, ...))
  }
  d <- dimensions(data, if (is.null(dimVar) && is.null(hierarchies)) setdiff(names(data), c(number, weightVar)) else dimVar, hierarchies)
  cells <- inner(data, d$dims, number, extend0)
  names(cells)[names(cells) == number] <- "freq"
  done <- hitoku_protect.default(cells, dims = d$dims, value = "freq", freq = "freq", total = d$totals, hierarchies = d$trees, below = maxN + 1,
    zeros_sensitive = if (protectZeros) TRUE, program = program, ...)
  table <- with_values(as.data.frame(done$table), done$withheld, d$dims, "freq")
  out <- gauss_shape(table, d$dims, "freq")
  names(out)[names(out) == "freq"] <- number
  attr(out, "hitoku") <- done$document
  like(out, of)
}

# inner sums up the counts of inner cells; if all of these are wanted, combinations that do not occur are 0.
inner <- function(data, dims, number, all) {
  cells <- aggregate(data[number], lapply(data[dims], as.character), sum)
  if (!all) return(cells)
  grid <- expand.grid(lapply(data[dims], function(x) sort(unique(as.character(x)), method = "radix")), stringsAsFactors = FALSE)
  out <- merge(grid, cells, all.x = TRUE, sort = FALSE)
  out[[number]][is.na(out[[number]])] <- 0
  out
}

# small_counts_linked protects the tables of a formula as one.
small_counts_linked <- function(of, data, tables, maxN, number, protectZeros, extend0, program, ...) {
  folder <- private()
  on.exit(gone(folder))
  dir.create(file.path(folder, "out"), mode = "0700")
  dims <- unique(unlist(tables))
  paths <- character()
  for (k in seq_along(tables)) {
    cells <- inner(data, tables[[k]], number, extend0)
    names(cells)[names(cells) == number] <- "freq"
    paths[k] <- write_csv(cells, file.path(folder, paste0("table", k, ".csv")))
  }
  linked <- length(paths) > 1
  args <- c(arguments(c(list(below = maxN + 1, zeros_sensitive = if (protectZeros) TRUE), list(...))), "--from=tidy", if (linked) "--linked", "--json", "--quiet",
    paste0("--output=", file.path(folder, "out"), "/"), "--", paths)
  done <- run("suppress", args, folder, program)
  doc <- first(done)
  if (!doc$audit %in% c("protected", "nothing")) stop(fault(done$problem, done$documents))
  parts <- lapply(seq_along(paths), function(k) {
    part <- read_table(file.path(folder, "out", basename(paths[k])), tables[[k]])
    for (d in setdiff(dims, tables[[k]])) part[[d]] <- "Total"
    part$status <- part$status %||% "s"
    part[c(dims, "freq", "status")]
  })
  table <- unique(do.call(rbind, parts))
  # a document of linked tables has the dimensions in the order of the tables
  withheld <- cells_of(doc$withheld, dims, "value")
  table <- with_values(table, withheld, dims, "freq")
  out <- gauss_shape(table, dims, "freq")
  names(out)[names(out) == "freq"] <- number
  attr(out, "hitoku") <- doc
  like(out, of)
}

hitoku_dominant_cells <- function(data, n = seq_along(k), k = NULL, pPercent = NULL, numVar, dimVar, hierarchies = NULL, contributorVar = NULL, sWeightVar = NULL,
                                  program = NULL, ...) {
  of <- data
  data <- as.data.frame(data)
  numVar <- names_of(data, numVar)[1]
  d <- dimensions(data, dimVar, hierarchies)
  totals <- d$totals[setdiff(names(d$totals), names(d$trees))]
  if (any(totals != "Total")) stop("hitoku: the total of a dimension without a tree is called Total here", call. = FALSE)
  folder <- private()
  on.exit(gone(folder))
  records <- data[unique(c(d$dims, numVar, contributorVar, sWeightVar))]
  rules <- c(if (!is.null(k)) sprintf("NK(%s,%s)", vapply(n, plain, ""), vapply(k, plain, "")), if (!is.null(pPercent)) sprintf("P(%s,1)", vapply(pPercent, plain, "")))
  if (!length(rules)) stop("hitoku: want k or pPercent", call. = FALSE)
  spec <- paste(c(paste0("dims ", paste(d$dims, collapse = ",")), paste0("response ", numVar), if (!is.null(contributorVar)) paste0("holding ", contributorVar),
    if (!is.null(sWeightVar)) paste0("weight ", sWeightVar), paste0("rules ", paste(rules, collapse = "|")), "name table"), collapse = "; ")
  trees <- vapply(seq_along(d$trees), function(i) paste0("--hierarchy=", names(d$trees)[i], "=", write_tree(d$trees[[i]], folder, i)), "")
  made <- file.path(folder, "table.csv")
  # Without a variable for holdings, records count; the warning about the difference tells nothing that the arguments do not.
  withCallingHandlers(run("tabulate", c(paste0("--table=", spec), trees, paste0("--output=", made), "--quiet", "--", write_csv(records, file.path(folder, "records.csv"))), folder, program, "records.csv"),
    hitoku_warning = function(w) if (grepl("count holdings", conditionMessage(w))) invokeRestart("muffleWarning"))
  out <- file.path(folder, "protected.csv")
  done <- run("suppress", c(trees, arguments(list(...)), "--from=tidy", "--json", "--quiet", paste0("--output=", out), "--", made), folder, program)
  doc <- first(done)
  if (!doc$audit %in% c("protected", "nothing")) stop(fault(done$problem, done$documents))
  table <- read_table(out, d$dims)
  withheld <- cells_of(doc$withheld, d$dims, "value")
  table <- with_values(table, withheld, d$dims, "value")
  found <- gauss_shape(table, d$dims, "value")
  names(found)[names(found) == "value"] <- numVar
  attr(found, "hitoku") <- doc
  like(found, of)
}
