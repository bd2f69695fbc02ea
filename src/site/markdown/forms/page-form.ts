/** What a page may have besides running text, for which it needs style sheets of its own. */
export type PageForm = 'pictures' | 'grids' | 'callouts' | 'chips' | 'code' | 'tabs' | 'tiles' | 'cards' | 'specimens'
