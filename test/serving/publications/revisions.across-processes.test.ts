import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAIN } from '../../program/cli/housestyle.ts'
import { command, serve } from '../../support/command.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

/* Two services share a data folder, and commands run in child processes. */

test('every process follows changes by commands to revisions and to files that only revisions have', async t => {
  const { data, issue, publishing } = await temporaryStore()
  for (const text of ['One.\n', 'Two.\n', 'Three.\n']) {
    await publishing('acme/guide', { 'guide/project.yaml': 'revisions: served\n', 'guide/files/note.txt': text })
  }
  const { token } = await issue('acme')
  const services = await Promise.all([1, 2].map(() => serve(MAIN, '--data', data, '--log', 'silent')))
  t.after(() => Promise.all(services.map(({ stop }) => stop())))
  const ask = (url: string) => fetch(url, { headers: { authorization: `Bearer ${token}` } })
  const listAt = (url: string, revision: number) =>
    ask(`${url}/revision/${revision}/beta/workspace/acme/project/guide/files`)

  /** The address of the note in a revision, without the part that differs between the services. */
  const fileAt = async (revision: number): Promise<string> => {
    const { files } = JSON.parse(await (await listAt(services[0]?.url ?? '', revision)).text())
    return new URL(files[0].url).pathname
  }
  const notes = [await fileAt(1), await fileAt(2), await fileAt(3)]

  const statuses = async (): Promise<number[][]> => {
    const numbers = [1, 2, 3]
    const asked = services.map(({ url }) =>
      Promise.all([
        ...numbers.map(async number => (await listAt(url, number)).status),
        ...notes.map(async note => (await ask(url + note)).status),
      ]),
    )
    return Promise.all(asked)
  }
  const become = async (...wanted: number[]) => {
    for (let at = 0; at < 250; at++) {
      const all = await statuses()
      if (all.every(each => each.join() === wanted.join())) return
      await sleep(20)
    }
    assert.deepEqual(await statuses(), [wanted, wanted])
  }

  await become(200, 200, 200, 200, 200, 200)
  await command(MAIN, 'retract', 'acme/guide', '1', '--data', data)
  await become(404, 200, 200, 404, 200, 200)
  await command(MAIN, 'unpublish', 'acme/guide', '--data', data)
  await become(404, 404, 404, 404, 404, 404)
  await command(MAIN, 'rollback', 'acme/guide', '3', '--data', data)
  await become(404, 200, 200, 404, 200, 200)
})
