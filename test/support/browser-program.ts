import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { localServer } from './local-server.ts'

/** Serves a page with the official client, until the tests are done; its origin is another port of this machine. */
export async function browserProgram(): Promise<{ url: string }> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('browser-program.js', import.meta.url)),
    platform: 'browser',
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  await bundle.close()
  const page = '<!doctype html><title>Notebook</title><link rel="icon" href="data:,">'
  return localServer(({ url }, reply) => {
    const isScript = url === '/program.js'
    reply.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    reply.end(isScript ? output[0].code : `${page}<script type="module" src="/program.js"></script>`)
  })
}

/** Calls a function of the program in its page. */
export async function inProgram<Result>(page: Page, call: string, ...given: readonly unknown[]): Promise<Result> {
  await page.waitForFunction(`window.${call} !== undefined`)
  return page.evaluate<Result>(`${call}(${given.map(each => JSON.stringify(each)).join(', ')})`)
}
