# The arguments of tab_rtauargus, one after another, on a table of turnover by activity and size.
data(turnover_act_size)
data(activity_corr_table)
dir.create("hrc", showWarnings = FALSE)
options(rtauargus.tauargus_exe = Sys.getenv("TAUARGUS_EXE"))
activity <- write_hrc2(corr_table = activity_corr_table, file_name = "hrc/activity.hrc")
turnover <- turnover_act_size %>% mutate(
  secret = (N_OBS > 0 & N_OBS < 3) | (MAX != 0 & MAX > TOT * 0.85),
  dear = ifelse(SIZE == "Total", TOT * 10, TOT),
  alone = N_OBS == 1
)
vars <- c("ACTIVITY", "SIZE")
all <- c(ACTIVITY = "Total", SIZE = "Total")

cost <- tab_rtauargus(turnover, dir_name = "opt/cost", files_name = "cost", explanatory_vars = vars, value = "TOT", freq = "N_OBS",
                      hrc = c(ACTIVITY = activity), totcode = all, secret_var = "secret", cost_var = "dear", suppress = "OPT(1,5)", verbose = FALSE)
no_pl <- tab_rtauargus(turnover, dir_name = "opt/no_pl", files_name = "no_pl", explanatory_vars = vars, value = "TOT", freq = "N_OBS",
                       hrc = c(ACTIVITY = activity), totcode = all, secret_var = "secret", secret_no_pl = "alone", verbose = FALSE)
rules <- tab_rtauargus(turnover, dir_name = "opt/rules", files_name = "rules", explanatory_vars = vars, value = "TOT", freq = "N_OBS",
                       hrc = c(ACTIVITY = activity), totcode = all, safety_rules = "NK(1,85)|FREQ(3,10)", maxscore = "MAX",
                       suppress = "MOD(1,5,1,1,1)", verbose = FALSE)
ip <- tab_rtauargus(turnover, dir_name = "opt/ip", files_name = "ip", explanatory_vars = vars, value = "TOT", freq = "N_OBS",
                    hrc = c(ACTIVITY = activity), totcode = all, secret_var = "secret", ip = 20, suppress = "GH(1,100)", verbose = FALSE)
not_unified <- tab_rtauargus(turnover, dir_name = "opt/labels", files_name = "labels", explanatory_vars = vars, value = "TOT", freq = "N_OBS",
                             hrc = c(ACTIVITY = activity), totcode = all, secret_var = "secret", unif_labels = FALSE, verbose = FALSE)
summarised <- tab_rtauargus(turnover, dir_name = "opt/summary", files_name = "summary", explanatory_vars = vars, value = "TOT", freq = "N_OBS",
                            hrc = c(ACTIVITY = activity), totcode = all, secret_var = "secret", summary_secret = TRUE, verbose = FALSE)
pivot <- tab_rtauargus(turnover, dir_name = "opt/pivot", files_name = "pivot", explanatory_vars = vars, value = "TOT", freq = "N_OBS",
                       hrc = c(ACTIVITY = activity), totcode = all, secret_var = "secret", output_type = 2, output_options = "AS+",
                       unif_labels = FALSE, verbose = FALSE)
hypercube <- tab_rtauargus(turnover, dir_name = "opt/hypercube", files_name = "hypercube", explanatory_vars = vars, value = "TOT", freq = "N_OBS",
                           hrc = c(ACTIVITY = activity), totcode = all, secret_var = "secret", suppress = "GH(1,75,1,1)", verbose = FALSE)
modular <- tab_rtauargus(turnover, dir_name = "opt/modular", files_name = "modular", explanatory_vars = vars, value = "TOT", freq = "N_OBS",
                         hrc = c(ACTIVITY = activity), totcode = all, secret_var = "secret", suppress = "MOD(1,1,1,1,1)", verbose = FALSE)
