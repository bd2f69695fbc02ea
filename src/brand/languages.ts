/** The languages of the website, each with a file of words that is read on first use, and of mail. */
export const LANGUAGES: readonly string[] = ['en', 'ar', 'de', 'es', 'fr', 'it', 'ja', 'nl', 'pt']
