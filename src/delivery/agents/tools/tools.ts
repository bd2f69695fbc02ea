import { PRINT_KEYS } from '#brand/color.ts'
import type { Scope } from '#brand/contract/operations.ts'
import { CONTENT_KINDS } from '../../lint/file-kind.ts'
import { OUTPUTS, type Outcome, type ToolName } from './output.ts'
import type { Reader, RunTool, Tool } from './tool.ts'

const ABOUT_PROJECT = nonEmpty('Id of a project, from list_projects', 63)
const FILTER = { type: 'string', description: 'Words to filter by, such as: dark background', maxLength: 1000 } as const

function nonEmpty(description: string, maxLength: number) {
  return { type: 'string', description, minLength: 1, maxLength } as const
}

function input(required: readonly string[], properties: Tool['input']['properties']): Tool['input'] {
  return { type: 'object', properties, required, additionalProperties: false }
}

/** A tool whose code returns what its schema describes. */
type Row = {
  [Name in ToolName]: Omit<Tool, 'name' | 'output' | 'load'> & {
    name: Name
    load: () => Promise<RunTool<Outcome<Name>>>
  }
}[ToolName]

/**
 * The tools in the order of the list. Their code is loaded after the start. Every field here is constant: content appears
 * only in results.
 */
const ROWS: readonly Row[] = [
  {
    name: 'search',
    title: 'Search the brand guidelines',
    description:
      'Finds pages, colours, type styles and files by words: names, values (hex, RAL, Pantone), rules and uses. Start here: the text of a result often has the answer. Otherwise pass its id to fetch.',
    scope: 'document.read',
    input: input(['query'], {
      query: nonEmpty('A few telling words, such as: logo minimum size', 1000),
      project: { ...ABOUT_PROJECT, minLength: 0, description: 'Id of a project; by default all' },
      limit: { type: 'integer', description: 'The most results; 10 by default', minimum: 1, maximum: 50 },
    }),
    load: async () => (await import('./search.ts')).search,
  },
  {
    name: 'fetch',
    title: 'Read one search result',
    description:
      'Returns one item in full by the id of a search result: a page or a section as Markdown, or all values of a colour, type style or file. A picture comes along as an image. If metadata has next, fetch that id for the next part.',
    scope: 'document.read',
    input: input(['id'], { id: nonEmpty('Such as page:guidelines/logo or color:guidelines/ink', 1000) }),
    load: async () => (await import('./fetch.ts')).fetchItem,
  },
  {
    name: 'list_projects',
    title: 'List the projects',
    description:
      'Lists the published brand guides that you may read, with their ids. Other tools take an id as project.',
    scope: 'projects.read',
    input: input([], {}),
    load: async () => (await import('./pages.ts')).listProjects,
  },
  {
    name: 'list_pages',
    title: 'List the pages of a project',
    description: 'Lists the pages of a brand guide in reading order, with ids for get_page.',
    scope: 'document.read',
    input: input(['project'], { project: ABOUT_PROJECT }),
    load: async () => (await import('./pages.ts')).listPages,
  },
  {
    name: 'get_page',
    title: 'Read a page',
    description:
      'Returns a page as Markdown with absolute addresses, and its pictures, whose ids show them in fetch. A long page comes in parts: call again with offset = nextOffset until there is none.',
    scope: 'document.read',
    input: input(['project', 'page'], {
      project: ABOUT_PROJECT,
      page: nonEmpty('Id of a page, such as logo/misuse', 255),
      offset: { type: 'integer', description: 'Start of the part; 0 by default', minimum: 0, maximum: 1_000_000_000 },
    }),
    load: async () => (await import('./pages.ts')).getPage,
  },
  {
    name: 'get_styles',
    title: 'Get colours and type styles',
    description: `Returns colours (hex, rgb, and authored print values: ${PRINT_KEYS.join(', ')}) and type styles, with their uses. Copy print values exactly: never compute or convert them.`,
    scope: 'styles.read',
    input: input(['project'], {
      project: ABOUT_PROJECT,
      kind: { type: 'string', description: 'Only one list', enum: ['colors', 'types'], maxLength: 6 },
      query: FILTER,
    }),
    load: async () => (await import('./lists.ts')).getStyles,
  },
  {
    name: 'list_files',
    title: 'List the files of a project',
    description:
      'Lists logos, fonts, pictures and other files with download addresses, and what they are for: ground is the id of the background colour, minWidth the smallest width in px, clearSpace the space around a logo as a share of its height.',
    scope: 'files.read',
    input: input(['project'], {
      project: ABOUT_PROJECT,
      query: FILTER,
      type: { type: 'string', description: 'Such as image, font, image/svg+xml or pdf', maxLength: 100 },
    }),
    load: async () => (await import('./lists.ts')).listFiles,
  },
  {
    name: 'lint',
    title: 'Check content against the brand',
    description:
      'Compares CSS, HTML, SVG or text that you wrote with the colours, type styles and words of a brand, before you hand it over. A finding says what to write instead, and guide is the id of the page that explains it. Links are not followed.',
    scope: 'styles.read',
    input: input(['project', 'content', 'kind'], {
      project: ABOUT_PROJECT,
      content: { type: 'string', description: 'The whole text, at most 200,000 characters', maxLength: 200_000 },
      kind: { type: 'string', description: 'The language of the content', enum: [...CONTENT_KINDS], maxLength: 4 },
    }),
    load: async () => (await import('./lint.ts')).lintContent,
  },
]

export const TOOLS: readonly Tool[] = ROWS.map(row => ({ ...row, output: OUTPUTS[row.name] }))

/** The same tools for one guide: without the list of projects, and without an argument that names one. */
const GUIDE_TOOLS: readonly Tool[] = TOOLS.filter(({ name }) => name !== 'list_projects').map(tool => {
  const { project: _, ...properties } = tool.input.properties
  return {
    ...tool,
    input: { ...tool.input, properties, required: tool.input.required.filter(name => name !== 'project') },
  }
})

/** All tools of a server, also those that its token has no scope for. */
export function toolsOf({ isGuide }: Pick<Reader, 'isGuide'>): readonly Tool[] {
  return isGuide ? GUIDE_TOOLS : TOOLS
}

/** The tools that the scopes of a reader cover. */
export function allowedTools(reader: { isGuide: boolean; scopes: ReadonlySet<Scope> }): readonly Tool[] {
  return toolsOf(reader).filter(({ scope }) => reader.scopes.has(scope))
}
