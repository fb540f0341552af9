# Writes data frames and trees to files, and reads them.

fields <- c("value", "obs_value", "freq", "cost", "status", "conf_status", "obs_status", "reason", "lpl", "upl", "spl", "lower", "upper")

is_field <- function(name) tolower(name) %in% fields | grepl("^max[0-9]+$", tolower(name))

is_path <- function(x) is.character(x) && length(x) == 1

cell_text <- function(x) {
  if (is.factor(x) || is.logical(x)) x <- as.character(x)
  if (is.numeric(x)) return(number_text(x))
  x <- enc2utf8(as.character(x))
  x[is.na(x)] <- ""
  quoted <- grepl("[\",\r\n]|^ | $", x)
  x[quoted] <- paste0("\"", gsub("\"", "\"\"", x[quoted], fixed = TRUE), "\"")
  x
}

write_csv <- function(data, path) {
  columns <- lapply(data, cell_text)
  lines <- if (nrow(data)) do.call(paste, c(unname(columns), sep = ",")) else character()
  if (ncol(data) == 1) lines[lines == ""] <- "\"\""
  write_lines(c(paste(cell_text(names(data)), collapse = ","), lines), path)
}

# read_table reads a protected table; codes are text, other columns are numeric if all their values are.
read_table <- function(path, codes) {
  lines <- read_utf8(path)
  con <- textConnection(lines, encoding = "UTF-8")
  on.exit(close(con))
  out <- utils::read.csv(con, colClasses = "character", check.names = FALSE, na.strings = NULL, encoding = "UTF-8", strip.white = FALSE)
  for (name in setdiff(names(out), codes)) {
    values <- out[[name]]
    values[values == ""] <- NA
    numbers <- suppressWarnings(as.numeric(values))
    out[[name]] <- if (any(is.na(numbers) & !is.na(values))) values else numbers
  }
  out
}

# like gives a data frame the class of another one.
like <- function(out, of) {
  if (inherits(of, "tbl_df") && requireNamespace("tibble", quietly = TRUE)) return(tibble::as_tibble(out))
  out
}

# asked names the columns that have no name, as in c("status", "cost"), after themselves: they are called like their field.
asked <- function(columns) {
  columns <- as.list(columns)
  alike <- if (is.null(names(columns))) rep(TRUE, length(columns)) else !nzchar(names(columns))
  names(columns)[alike] <- unlist(columns[alike])
  columns
}

# call_of writes a table into a folder and returns the options for reading it. A column called like a field is read as that field only if it
# was asked for, or if it is the status of a published table: otherwise it may mean something else.
call_of <- function(x, folder, dims, value, freq, columns, total, hierarchies, name, published = FALSE) {
  columns <- asked(columns)
  alone <- is.null(value) && is.null(columns$value)
  if (!is.null(value)) columns$value <- value
  if (!is.null(freq)) columns$freq <- freq
  args <- arguments(list(column = if (length(columns)) columns, total = total))
  for (k in seq_along(hierarchies)) {
    args <- c(args, paste0("--hierarchy=", names(hierarchies)[k], "=", write_tree(hierarchies[[k]], folder, k)))
  }
  if (!is.null(dims)) args <- c(args, paste0("--dims=", quoted_list(dims)))
  if (is_path(x)) return(list(path = path.expand(x), args = args))
  if (!is.data.frame(x)) stop("hitoku: want a data frame, the name of a file, or a problem of sdcTable", call. = FALSE)
  table <- as.data.frame(x)
  if (is.null(dims)) {
    known <- is_field(names(table)) | names(table) %in% unlist(columns)
    dims <- names(table)[cumsum(known) == 0]
  } else {
    missing <- setdiff(c(dims, unlist(columns)), names(table))
    if (length(missing)) stop("hitoku: the table has no column ", paste(missing, collapse = ", "), "; it has ", paste(names(table), collapse = ", "), call. = FALSE)
    fields <- names(table)[is_field(names(table))]
    alike <- c(if (alone) c("value", "obs_value", "freq"), if (published) "status")
    keep <- unique(c(dims, unlist(columns), fields[tolower(fields) %in% alike]))
    unread <- setdiff(fields, keep)
    if (length(unread)) {
      remark(paste0("not read as the field that its name is: ", paste(unread, collapse = ", "), "; columns = c(", paste0("\"", unread, "\"", collapse = ", "), ") would"))
    }
    table <- table[keep]
  }
  file <- paste0(gsub("[^[:alnum:]_-]", "_", name), ".csv")
  list(path = write_csv(table, file.path(folder, file)), args = c(args, "--from=tidy"), rows_of = file, dims = dims, frame = x)
}

quoted_list <- function(names) {
  odd <- grepl("[\",]", names)
  names[odd] <- paste0("\"", gsub("\"", "\"\"", names[odd], fixed = TRUE), "\"")
  paste(names, collapse = ",")
}

# tree_of returns a hierarchy as codes and parents. It is given as a data frame with these or with levels (@@) and codes, as a vector
# that names each code's parent, or as a hierarchy of sdcHierarchies.
tree_of <- function(x) {
  if (inherits(x, "sdc_hierarchy")) x <- sdc_tree(x)
  if (is.data.frame(x)) {
    x <- as.data.frame(x)
    names(x) <- tolower(names(x))
    if (all(c("code", "parent") %in% names(x))) {
      return(data.frame(code = as.character(x$code), parent = ifelse(is.na(x$parent), "", as.character(x$parent))))
    }
    levels <- if ("levels" %in% names(x)) x$levels else if ("level" %in% names(x)) x$level else x[[1]]
    codes <- if ("codes" %in% names(x)) x$codes else if ("code" %in% names(x)) x$code else if ("name" %in% names(x)) x$name else x[[2]]
    return(by_levels(nchar(as.character(levels)), as.character(codes)))
  }
  if (is.character(x) && !is.null(names(x))) return(data.frame(code = names(x), parent = ifelse(is.na(x), "", unname(x))))
  stop("hitoku: a hierarchy is a file, a data frame with code and parent or with levels (@@) and codes, or a vector that names parents", call. = FALSE)
}

sdc_tree <- function(x) {
  if (!requireNamespace("sdcHierarchies", quietly = TRUE)) stop("hitoku: a hierarchy of sdcHierarchies needs that package", call. = FALSE)
  as.data.frame(getFromNamespace("hier_convert", "sdcHierarchies")(x, as = "df"))
}

# by_levels finds the parents of codes that are in depth-first order.
by_levels <- function(level, code) {
  parent <- character(length(code))
  for (i in seq_along(code)) {
    above <- which(level[seq_len(i - 1)] < level[i])
    if (length(above)) parent[i] <- code[max(above)]
  }
  data.frame(code = code, parent = parent)
}

write_tree <- function(x, folder, k) {
  if (is_path(x) && is.null(names(x))) return(path.expand(x))
  write_csv(tree_of(x), file.path(folder, paste0("hierarchy", k, ".csv")))
}
