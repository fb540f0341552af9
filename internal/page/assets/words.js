// The words of the page in all languages. What serves this module sets them before it, from the catalogue: words[language][name].

let at = "en";

/** language turns to one that there is. */
export function language(code) {
  if (code) { at = words[code] ? code : "en"; document.documentElement.lang = code; localStorage.setItem("hitoku.lang", code); }
  return at;
}

/** t is a word of the page in its language. */
export const t = (key) => words[at][key] ?? key;

/** because says why a cell is sensitive. */
export const because = (reason) => words[at]["reason_" + reason] ?? reason;

/** field and value are what a field of a policy, and a word that it may be, are called. */
export const field = (name) => words[at]["p_" + name] ?? t(name);
export const value = (word) => words[at]["v_" + word] ?? t(word);

export function firstLanguage() {
  language(localStorage.getItem("hitoku.lang") || (navigator.language.startsWith("ja") ? "ja" : "en"));
}
