import { wordSet } from '#platform/base/text.ts'

/** The prefixes of variables of MkDocs, Docusaurus, Starlight, Bootstrap, Catppuccin, VitePress, Nextra, WordPress, Algolia and Tailwind. */
export const THEME_PREFIXES = wordSet('md ifm sl bs ctp vp nextra wp docsearch docusaurus c tw')
