import { slug } from '#brand/ids.ts'

/** The names of a page and its folders, and the orders of these. */
type Path = { names: string[]; orders: (number | undefined)[] }

/**
 * Paths without folders that would be an empty step of the menu: a page with the name of its folder is the index of this,
 * and the only folder next to the home page is left out.
 */
export function withoutEmptySteps<Page extends Path>(pages: readonly Page[]): Page[] {
  const taken = new Set(pages.map(({ names }) => slugsOf(names)))
  const indexed = pages.map(page => (isNamesake(page, taken) ? asIndex(page) : page))
  const [tops, inner] = [indexed.filter(({ names }) => names.length === 1), indexed.filter(isInFolder)]
  const folders = new Set(inner.map(({ names: [folder = ''] }) => folder))
  const hasIndex = inner.some(({ names }) => names.length === 2 && names[1] === 'index')
  const isOnlyHome = tops.length === 1 && tops.every(({ names }) => names[0] === 'index')
  if (folders.size !== 1 || inner.length < 2 || hasIndex || !isOnlyHome) return indexed
  return indexed.map(page => (isInFolder(page) ? below(page) : page))
}

function isInFolder({ names }: Path): boolean {
  return names.length > 1
}

/** Whether a page has the name of its folder, which has no index. */
function isNamesake({ names }: Path, taken: ReadonlySet<string>): boolean {
  const [folder = '', name] = names.slice(-2).map(slug)
  return folder === name && !taken.has(slugsOf([...names.slice(0, -1), 'index']))
}

/** The page stands for its folder, and has its own order. */
function asIndex<Page extends Path>(page: Page): Page {
  const { names, orders } = page
  return { ...page, names: [...names.slice(0, -1), 'index'], orders: [...orders.slice(0, -2), orders.at(-1)] }
}

function below<Page extends Path>(page: Page): Page {
  return { ...page, names: page.names.slice(1), orders: page.orders.slice(1) }
}

function slugsOf(names: readonly string[]): string {
  return names.map(slug).join('/')
}
