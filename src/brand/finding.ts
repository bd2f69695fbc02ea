/** A problem, or a likely problem, in a brand folder. */
export type Finding = {
  severity: 'error' | 'warning'
  rule: RuleId
  /** The id of the project that the finding is about; null if it is about the folder. */
  project: string | null
  /** Relative to the brand folder, with `/`. */
  path: string
  /** 1-based; null if the finding is about the whole file. */
  line: number | null
  /** The problem, and how to fix it. */
  message: string
}

/** A path of a commit that is not in its folder, and why. */
export type AbsentFile = Pick<Finding, 'path' | 'message'> & { rule: 'git-submodule' | 'git-lfs' }

/** A finding from the reader of one file, which knows neither the path nor the project. */
export type Problem = {
  rule: RuleId
  line: number | null
  message: string
  /** The path in the project of the missing file, or of the list without the style `id`; hidden if that `breaks`. */
  missing?: { path: string; id?: string }
  /**
   * The files that cannot be read because of the problem; with `ids`, only these styles in them. If the problem is
   * harmless, errors that follow from it do not keep a project from its draft.
   */
  breaks?: { paths: readonly string[]; ids?: readonly string[]; isHarmless?: boolean }
}

/** The paths of the style lists in a project. */
export const STYLE_LISTS = ['styles/colors.yaml', 'styles/types.yaml'] as const

export type StyleList = (typeof STYLE_LISTS)[number]

/** A project with an error keeps its draft unchanged. A warning blocks nothing. */
type Rule = {
  severity: 'error' | 'warning'
  summary: string
  fix: string
  /**
   * `rules:` in project.yaml cannot set the rule: it protects the machine that reads the folder, or keeps the content
   * from being incomplete, ambiguous or another project's.
   */
  isFixed?: true
}

/** The rules for brand folders: the source of findings, of the rules in SARIF and of `docs/findings.md`. */
export const RULES = {
  'no-project': fixedError(
    'The folder contains no project.',
    'Name a folder with pages/, styles/ or files/, or a folder of such folders.',
  ),
  'folder-ambiguous': fixedError(
    'A project folder contains another project.',
    'Move the pages/, styles/ and files/ next to it into their own folder, or begin its name with _.',
  ),
  'rule-fixed': fixedError('`rules:` sets a rule that cannot be set.', 'Remove it, and correct what the rule finds.'),
  'workspace-new': fixedWarning(
    'The folder becomes a new workspace, but the store seems to have it under another id.',
    'Write `id:` in workspace.yaml and project.yaml, or import the folder of the workspace.',
  ),
  'id-invalid': fixedError(
    'An id is not a slug, is too long, is reserved, or cannot be made from the name.',
    'Write `id:` with lower-case letters, digits and single hyphens.',
  ),
  'id-taken': fixedError('Two items have the same id.', 'Rename one of them, or give one its own `id:`.'),
  'translation-original': fixedError(
    '`translationOf` names no other project of the folder, or one that is a translation itself; or `lang` is missing, or that of the original or another translation.',
    'Write the id of the original, and the language of the translation as `lang`.',
  ),
  'translation-public': fixedError(
    'A public project is a translation of a private one.',
    'Write `visibility: public` in the original, or `visibility: private` in the translation.',
  ),
  'translation-missing': warning(
    'A page of the original has no translation.',
    'Translate it; until then the website links to the original.',
  ),
  'translation-stale': warning(
    'A page of the original has changed since its translation.',
    'Translate the change, and write it down with `housestyle translate mark`.',
  ),
  'language-words': warning(
    'The website has no words of its own in the language of the guide, so its labels are English.',
    'Nothing has to change: `rules: { language-words: off }` silences it.',
  ),
  'project-copying': fixedError(
    'A copy from or to the project is running; its draft stays unchanged.',
    'Import again when the copy is done.',
  ),
  'project-taken': fixedError(
    'Another source has filled the project, such as a followed repository; its draft stays unchanged.',
    'Give one of the two another id, or move the project to this source once with `--take workspace/project`.',
  ),
  'project-missing': fixedWarning(
    'A project from an earlier import is no longer in the folder; it stays unchanged.',
    'Delete it with `housestyle delete workspace/project` if you no longer need it.',
  ),
  'not-followed': fixedWarning(
    'A symbolic link, device, socket or pipe is left out.',
    'Put the file itself in its place.',
  ),
  'git-submodule': fixedWarning(
    'A submodule of a followed repository is left out with all its files.',
    "Add the files to the repository itself, or follow the submodule's own repository.",
  ),
  'git-lfs': fixedWarning(
    'A file in Git LFS did not arrive, and is left out.',
    'Correct what the message names, such as a missing `git lfs push`; the service asks again every ten minutes.',
  ),
  'not-read': warning(
    'A file or folder has almost the right name, or the right name in the wrong place.',
    'Give it the name or place that the message shows, or start its name with _ to have it ignored.',
  ),
  'styles-misplaced': error(
    'A list of colours or type styles is not read, because its file has a wrong name or place.',
    'Rename or move it to `styles/colors.yaml` or `styles/types.yaml`, as the message shows.',
  ),
  'name-unusable': fixedWarning(
    'A file or folder whose name has control characters or is not UTF-8 is left out.',
    'Rename it.',
  ),
  unreadable: fixedError('A file or folder cannot be read.', 'Allow the user that runs housestyle to read it.'),
  'changed-while-read': fixedError(
    'A file or folder changed while housestyle read it; it is not imported.',
    'Import again when no program is writing to the folder.',
  ),
  'too-large': fixedError(
    'A file is larger than the limit.',
    'Make it smaller or split it; --max-file raises the limit for files.',
  ),
  'too-many': fixedError(
    'A project has too many pages, files or styles, or a page has too many links.',
    'Split the project or the page; --max-items raises the limit for projects.',
  ),
  'not-utf8': fixedError('A text file is not UTF-8.', 'Save it as UTF-8.'),
  'yaml-syntax': fixedError(
    'The YAML, or front matter in TOML or JSON, cannot be read.',
    'Correct it at the line that the message names.',
  ),
  'yaml-duplicate-key': error('A mapping has the same key twice.', 'Keep one of the two.'),
  'yaml-alias': fixedError('The YAML uses an anchor, an alias or a tag.', 'Write the value out.'),
  'yaml-depth': fixedError('The YAML is nested more than 32 deep.', 'Flatten it.'),
  'key-unknown': error('A key is unknown here.', 'Correct its spelling, or remove it.'),
  'front-matter-open': warning(
    'Front matter does not begin on the first line of a page, or does not end, and is shown as text.',
    'Begin it with `---` on the first line, and end it with `---`.',
  ),
  'front-matter-twice': error(
    'A page has TOML or JSON front matter below its front matter, so that it would be shown as text.',
    'Move its keys into the first block, and remove it.',
  ),
  'front-matter-key-unknown': warning(
    'A key of the front matter is unknown and ignored.',
    'Correct its spelling, or remove it.',
  ),
  'front-matter-value-unknown': warning(
    'A front matter key that other tools also use has an unknown value, which is ignored.',
    'Correct it, or remove it.',
  ),
  'page-draft': warning(
    'A page is left out, because its front matter says that it is a draft, hidden, or for another day. `dev` shows it.',
    'Remove the line to publish it.',
  ),
  'page-empty': warning('A page has no text after its front matter.', 'Write its text, or remove the file.'),
  'cover-unknown': warning(
    'A cover is neither a picture, a video nor a colour of the project, and is left out.',
    'Write the path of a picture or video relative to the page, or the id of a colour.',
  ),
  'cover-contrast': warning(
    'A cover asks for light or dark letters that are illegible on its ground.',
    'Write `text: auto`, or choose another ground; until then the website uses readable letters.',
  ),
  'value-missing': error('A required value is missing.', 'Write it.'),
  'value-invalid': error('A value has the wrong form for its key.', 'Use the form that the message shows.'),
  'value-too-long': fixedError('A value is longer than the limit.', 'Shorten it.'),
  'value-unquoted': error('A value starts with # outside quotes, which YAML reads as a comment.', 'Put it in quotes.'),
  'value-placeholder': warning(
    'A number, a colour or an ink is a word or sign for no value, such as `n/a`, `-` or `tbd`, and is left out.',
    'Remove it until there is a value.',
  ),
  'value-cut': warning(
    'A value without quotes ends before ` #` and a letter or digit, which YAML reads as a comment.',
    'Put it in quotes, or write a space after #.',
  ),
  'color-disagreement': error(
    'The hex and rgb of a colour are not the same colour.',
    'Keep one of the two, or correct the wrong one.',
  ),
  'cmyk-fraction': warning(
    'Four CMYK values are at most 1, with a fraction, and are left out: they look like shares of 1.',
    'Write them in per cent, 0 to 100.',
  ),
  'ral-design': warning(
    'A RAL number is not from RAL Classic, and is left out.',
    'Write a RAL Classic number of four digits, or write it under `inks`.',
  ),
  'ink-spelling': warning(
    'A Pantone reference has another spelling than in libraries of inks, or names two inks: print programs make another plate of it.',
    'Write it as the message shows, or run `housestyle check --fix --write`.',
  ),
  'ink-not-spot': warning(
    'A Pantone reference is for textiles, plastics or process printing, such as TCX or CP, and names no printing ink.',
    'Write it under `inks`, or replace it with the ink.',
  ),
  'styles-empty': warning(
    'A list of styles is empty, but other files refer to it.',
    'Add the styles, or remove the references.',
  ),
  'reference-missing': error(
    'An id or a path in a YAML file does not exist in the project.',
    'Correct it, or remove it.',
  ),
  'theme-contrast': warning(
    'Text or links in the theme colours have less contrast than WCAG 2.2 requires.',
    'Choose a darker or a lighter colour; until then the website uses readable colours.',
  ),
  'social-image-format': warning(
    '`socialImage` is a picture that link previews cannot show, such as an SVG.',
    'Name a PNG, JPEG, WebP or GIF.',
  ),
  'font-family-missing': warning(
    'A type style names a family without a font in the project, or `office` a family without a font or type style.',
    'Add the font under files/, or name an existing family; list a system font in `fallback`, too.',
  ),
  'font-weight-missing': warning(
    'A type style uses a weight or a style that no font of its family has.',
    'Add the font under files/, or use an existing weight and style.',
  ),
  'font-axis-missing': warning(
    'A type style sets an axis that no font of its family has, or a value outside its range.',
    'Add a variable font with the axis, or use an existing axis and value.',
  ),
  'font-name-missing': warning(
    'A font has no family name of its own: it is missing, blank or obfuscated. Its file name is shown instead.',
    'Write its `family` in files.yaml.',
  ),
  'font-ambiguous': warning(
    'Style sheets cannot tell two fonts apart: both have the same family, weight, width and style.',
    'Write another weight or family for one of them in files.yaml, or remove it.',
  ),
  'export-cmyk-missing': warning(
    'With `check --exports`: a colour has no CMYK values, but others do.',
    'Write its `cmyk`; it is never computed.',
  ),
  'export-ink-names': warning(
    'With `check --exports`: one spot ink is written in two ways, which means two printing plates.',
    'Write its reference the same way everywhere.',
  ),
  'export-tailwind-name': warning(
    'With `check --exports`: the Tailwind theme renames a style, because Tailwind does not allow its id.',
    'Give the style another `id`, or use the name that the message shows.',
  ),
  'export-left-out': warning(
    'With `check --exports`: an export leaves out a font or something of a style, or changes it.',
    'Change the style or font as the message says, or keep it if you do not use that format.',
  ),
  'export-font-rights': warning(
    'With `check --exports`: the embedding rights or licence of a font forbid its use on the web.',
    'Use a font that allows it, or keep the font out of the folder.',
  ),
  'page-listed-missing': warning(
    '`pages:` lists an id that no page has.',
    'Correct the id, or remove it from the list.',
  ),
  'link-broken': warning('A link is broken: its target is not in the project.', 'Correct its path, or add the file.'),
  'link-local': warning(
    'A link or picture has an address on one computer, such as `C:\\logo.png` or `file:///logo.png`.',
    'Put the file into the folder, and write its relative path.',
  ),
  'link-dropped': warning(
    'The website leaves out the address of a link or picture, such as `javascript:…` or `data:text/html,…`: it keeps those with `https:`, `http:`, and of links `mailto:` and `tel:`.',
    'Write such an address, or the path of a file.',
  ),
  'html-dropped': warning(
    'The website leaves out HTML of a page: an element with its content, such as an `iframe`, a tag that is not HTML, such as `<Card>`, or an attribute with text.',
    'Write it in Markdown, link to it, or remove it.',
  ),
  'html-markdown': warning(
    'Markdown is shown as written, because it is inside an HTML block, as in `<td>**x**</td>`.',
    'Leave blank lines around it, or write it in HTML.',
  ),
  'text-lost': warning(
    'The API has text that the page does not show: a cell beyond the columns of its table, a footnote without its other half, or a definition that is no address.',
    'Add the column, the reference or the text of the footnote, as the message shows.',
  ),
  'page-format': warning(
    'A document under pages/ is not Markdown and has no link to it, or ends in `.MD` instead of `.md`.',
    'Save it as `.md`, link to it, or move it to files/.',
  ),
  'link-space': warning(
    'A link or a picture is shown as text, because of a space, curly quotes, or a backslash at the end of its address.',
    'Write it as the message shows; for a space in the address, `%20`.',
  ),
  'link-heading-missing': warning(
    'A link names a heading or an id that its page does not have.',
    'Correct the part after #, or the heading.',
  ),
  'link-style-missing': warning(
    'A link names a colour, group or type style that its list lacks, and opens the whole list.',
    'Write the id of a style or the slug of a group after #.',
  ),
  'link-stage': warning(
    'A link asks for a stage that its target does not have, or misspells `?stage`.',
    'Write `?stage` after the path of a picture, or of the list of colours or type styles, or remove it.',
  ),
  'layout-comment': warning(
    'A layout comment, such as `<!-- full -->`, is misspelt, unclosed, before an unsuitable block, or before one that is as wide without it.',
    'Correct it as the message shows, or remove it.',
  ),
  'fence-open': warning(
    'A code fence is not closed, so the text after it is shown as code.',
    'Write the closing fence, such as three backticks, on a separate line below the code.',
  ),
  'heading-id': warning(
    'The id that a heading ends with, such as `{#space}`, is invalid or taken, or has other attributes with it.',
    'Write an id that is unique on the page: letters, digits and hyphens.',
  ),
  'heading-space': warning(
    'A heading such as `##Do` is shown as text, because it has no space after the #.',
    'Write a space after the #.',
  ),
  'list-space': warning(
    'An item of a list is shown as text, because another space than a normal one follows its sign, such as a no-break space.',
    'Write a normal space after the sign.',
  ),
  'table-rule': warning(
    'A table is shown as text, because its second line is not a line of dashes.',
    'Write the line that the message shows below the first.',
  ),
  'template-tag': warning(
    'A page has a template tag, wiki link, callout or comment of another system (`{% … %}`, `{{ … }}`, `{: … }`, an MDX `import`, `[[page]]`, `[!danger]`, `%% … %%`), or a part that the website does not show.',
    'Write its output in Markdown, remove it, or format it as code to show it. Comments are left out everywhere. Other syntax is shown as written; `init --from` converts it.',
  ),
  'file-described-missing': warning(
    'files.yaml describes a file or folder that does not exist, or a pattern covers no file.',
    'Correct its path, or remove the entry.',
  ),
  'description-unused': warning(
    'files.yaml gives a file a field that does not apply to its type.',
    'Remove the field.',
  ),
  'file-expiring': warning(
    '`until` in files.yaml is over, or less than 30 days away. Only `check` reports this.',
    'Write a later last day, or remove the file.',
  ),
  'type-mismatch': warning(
    'The content of a file has a different type than its extension; the content decides.',
    'Rename the file.',
  ),
  'font-unreadable': warning(
    'A font, or a part of it, cannot be read, and is served without that metadata.',
    'Export it again.',
  ),
  'picture-format': warning(
    'A picture has a format that browsers do not show, such as HEIC, TIFF or PSD.',
    'Save it as JPEG, PNG or SVG, and use that file.',
  ),
  'picture-pixels': warning(
    'A picture on a page is over 5 MB or 40 megapixels. Readers get a smaller version, or a link if its format cannot be reduced.',
    'Show a smaller picture, and link to the original.',
  ),
  'picture-location': warning(
    'A picture says where it was taken, in its EXIF or XMP. The browser editor removes this from pictures that people add.',
    'Remove the place with a program for pictures, or keep it if everyone may know it.',
  ),
  'picture-external': warning(
    'An SVG needs fonts or files outside it, which browsers do not load in a picture.',
    'Convert its letters to outlines, and embed the files.',
  ),
  'alt-missing': warning(
    'A page shows a picture that has no alternative text on any page, in files.yaml or in the file.',
    'Write what it shows, as in `![Our mark](mark.svg)`, or `alt` in files.yaml: `alt: ""` if it is decoration.',
  ),
  'picture-damaged': warning('An SVG has an error, so browsers do not show it.', 'Export it again.'),
  'picture-unreadable': warning('A picture cannot be read, and is served without metadata.', 'Export it again.'),
} as const satisfies Record<string, Rule>

export function error(summary: string, fix: string) {
  return { severity: 'error', summary, fix } as const
}

export function warning(summary: string, fix: string) {
  return { severity: 'warning', summary, fix } as const
}

export function note(summary: string, fix: string) {
  return { severity: 'note', summary, fix } as const
}

function fixedError(summary: string, fix: string) {
  return { ...error(summary, fix), isFixed: true } as const
}

function fixedWarning(summary: string, fix: string) {
  return { ...warning(summary, fix), isFixed: true } as const
}

export type RuleId = keyof typeof RULES

/** The severities that `rules:` in project.yaml gives a rule. */
export const RULE_LEVELS = ['off', 'warning', 'error'] as const

export type RuleLevel = (typeof RULE_LEVELS)[number]

/** Whether `rules:` in project.yaml cannot set a rule. */
export function isFixedRule(id: RuleId): boolean {
  const rule: Rule = RULES[id]
  return rule.isFixed === true
}
