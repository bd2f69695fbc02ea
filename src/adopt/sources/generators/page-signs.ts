/**
 * What Confluence, Notion, GitHub, Sphinx, Material for MkDocs, Docusaurus and Google Docs write into pages in HTML, as
 * signs of elements, and the beginnings of what they count.
 */

/** Elements with the main content, each with all of its signs. */
export const MAIN_CONTENT = [
  'div #content .view',
  'article .page',
  '.markdown-body',
  '.rst-content',
  '.body @main',
  '.md-content__inner',
  '.theme-doc-markdown',
]

/** The title above the main content, behind the name of a space and ` : `. */
export const PAGE_TITLE = '#title-text'

/** The body of a document, whose tables need no labels. */
export const DOCUMENT = 'body .doc-content'

/** Marks that only programs and authors need. */
export const AUTHOR_MARKS = `.headerlink .hash-link .header-anchor .footnotes-sep .page-header-icon .material-icons*
  .material-symbols* .confluence-information-macro-icon`

/** Alerts, their titles, and the parts with which a panel is one. */
export const ALERTS = '.admonition .callout .markdown-alert .alert .confluence-information-macro .theme-admonition'
export const ALERT_TITLES = '.title .admonition-title .panelHeader .markdown-alert-title .admonition-heading*'
export const PANEL_PARTS = '.panelHeader .panelContent'

/** The class of a list, which ends with the level of the list. */
export const LIST_LEVEL = '.lst-'

/** Ids of all headings, and of comments. */
export const GENERATED_IDS = ['h.', '_Ref']
export const COMMENT_IDS = ['cmnt', 'comment-']

/** An address that leads to the one in its `q`. */
export const REDIRECTION = 'https://www.google.com/url?'
