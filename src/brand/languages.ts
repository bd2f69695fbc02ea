/** The languages of the website, each with a file of words that is read on first use, and of mail. */
export const LANGUAGES: readonly string[] = ['en', 'ar', 'de', 'es', 'fr', 'it', 'ja', 'nl', 'pt']

/** Whether the website has its own words in the language of a BCP 47 tag, such as `de-AT`. */
export function hasOwnWords(tag: string): boolean {
  return LANGUAGES.includes(new Intl.Locale(tag).language)
}
