import type { Visit } from './context.ts'
import { listNames, type Target } from './target.ts'

/** The name of a list, or of a page: its title, else the name in the guide, else its path. */
export async function targetName({ guide, words }: Visit, { kind, id, path }: Target, title = ''): Promise<string> {
  if (kind !== 'page') return `${listNames(words)[kind]}`
  const pages = await guide.publication.content.pages()
  return title || pages.values().find(page => page.id === id)?.name || path
}
