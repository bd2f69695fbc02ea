import type { Page } from 'playwright-core'
import type { EditorSource } from '#people/editor/editor-config.ts'
import { editorFiles } from '#people/editor/editor-files.ts'
import { openPage, type WatchedPage } from './browser.ts'
import type { ForgeRepository } from './forge-hosts.ts'
import { localServer } from './local-server.ts'

/** An editor of a repository in a browser, in which a person has signed in. */
export type ForgeEditor = WatchedPage & {
  url: string
  /** Opens an entry: `shop_pages/entries/index`. */
  open: (entry: string) => Promise<void>
  /** The field with this key. */
  field: (key: string) => ReturnType<Page['locator']>
  /** Signs in with a token at the door; the editor then opens the entry of the address. */
  signIn: (token: string) => Promise<void>
}

/** Serves an editor of the repository as static files, and signs in with a token. */
export async function forgeEditor(
  repository: ForgeRepository,
  options: Partial<EditorSource> = {},
): Promise<ForgeEditor> {
  const projects = [{ id: 'shop', name: 'Shop', folder: '', pages: {} }]
  const made = await editorFiles({ workspace: 'shop', name: 'Shop', projects, forge: repository.forge, ...options })
  const { url } = await localServer(({ url: target = '' }, reply) => {
    const name = target.slice(1).split('?')[0] || 'index.html'
    const bytes = made.get(name)
    reply.writeHead(bytes ? 200 : 404, { 'content-type': TYPES[name.split('.').pop() ?? ''] ?? 'text/plain' })
    reply.end(bytes)
  })
  const watched = await openPage()
  const { page } = watched
  await page.context().route(`${repository.forge.origin}/**`, repository.answer)
  const signIn = async (secret: string) => {
    await page.getByRole('button', { name: 'Sign In Using Access Token' }).click()
    await page.getByRole('textbox').fill(secret)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  }
  await page.goto(url)
  await signIn('token-ada')
  await page.getByText('Collections', { exact: true }).first().waitFor()
  return {
    ...watched,
    url,
    signIn,
    open: async entry => {
      await page.evaluate(`location.assign('#/collections/${entry}')`)
      await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
    },
    field: key => page.locator(`[data-mode="edit"] .field[data-key-path="${key}"]`),
  }
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  json: 'application/json',
}
