import { listProjects } from '#store/catalogue/catalogue.ts'
import { startGitServer } from './git-server.ts'
import { sessionCookie } from './people-service.ts'
import { formOnPage } from './sent-form.ts'
import { runningService, silent } from './service.ts'
import { temporaryStore } from './temporary-store.ts'
import { until } from './until.ts'

/** Serves the guides of a repository, whose workspace is `acme`, with their editor. */
export async function editedGuides(
  files: Readonly<Record<string, string>>,
  flags: Readonly<Record<string, string>> = {},
  log = silent,
) {
  const server = await startGitServer()
  const repository = await server.make('brand')
  const workspace = { 'workspace.yaml': 'name: Acme\nid: acme\n' }
  const commit = (contents: Readonly<Record<string, string>>, options?: Parameters<typeof repository.commit>[1]) =>
    repository.commit({ ...workspace, ...contents }, options)
  await commit(files)
  const temporary = await temporaryStore()
  const { url, port } = await runningService(temporary, { git: repository.url, edit: 'on', ...flags }, log)
  const projects = async () => (await listProjects(temporary.store.database, 'acme')).map(({ project }) => `${project}`)
  await until(async () => (await projects()).length > 0)
  const ask = (path: string, cookie: string) => fetch(url + path, { headers: { cookie }, redirect: 'manual' })
  const textAt = async (path: string, cookie: string) => (await ask(path, cookie)).text()
  return {
    server,
    repository,
    commit,
    temporary,
    url,
    port,
    projects,
    ask,
    textAt,
    /** The cookie of a person who may edit all guides, or has other rights. */
    signIn: (rights: Parameters<typeof sessionCookie>[2] = {}) =>
      sessionCookie(temporary, 'acme', { edits: 'all', ...rights }),
    /** The form of a page as a browser sends it, whose button saves it. While a host is slow, a page has no form. */
    formAt: async (path: string, cookie: string, attribute?: string) => {
      let form = new URLSearchParams()
      await until(async () => {
        form = formOnPage(await textAt(path, cookie), attribute)
        return form.size > 0
      })
      form.set('do', 'save')
      return form
    },
    /** Sends a form; the reply may be a redirect. */
    send: (path: string, body: URLSearchParams | FormData, cookie: string, origin = url) =>
      fetch(url + path, { method: 'POST', body, headers: { cookie, origin }, redirect: 'manual' }),
    head: () => repository.git(['rev-parse', 'main']),
    file: (path: string) => repository.git(['show', `main:${path}`]),
  }
}

/** A form with files. */
export function multipart(fields: Readonly<Record<string, string | File>>): FormData {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  return body
}
