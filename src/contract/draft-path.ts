/** The path of a draft below the address of its project. No page has it, because page ids begin with a letter or digit. */
export const DRAFT_PATH = '/-/draft'
