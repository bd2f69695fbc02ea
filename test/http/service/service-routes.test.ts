import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import test from 'node:test'
import { serviceRoutes } from '../../../src/http/service/service-routes.ts'
import { openAssets } from '../../../src/site/assets.ts'

test('the code of the documentation is loaded in several steps, which yield to other requests', async t => {
  let turn = 0
  const count = () => {
    turn++
    counter = setImmediate(count)
  }
  let counter = setImmediate(count)
  t.after(() => clearImmediate(counter))
  const loadedIn = new Map<string, number>()
  const hooks = registerHooks({
    load(url, context, next) {
      const [name] = /(?:guide|openapi|api-docs)\.ts$/.exec(url) ?? []
      if (name) loadedIn.set(name, turn)
      return next(url, context)
    },
  })
  const routes = serviceRoutes({
    publicUrl: 'http://brand.test',
    assets: openAssets(''),
    readiness: async () => ({ isReady: true, text: 'ready' }),
    keySet: async () => ({}),
    metrics: async () => ({ contentType: 'text/plain', text: '' }),
  })
  const reply = await routes['/docs']?.()
  hooks.deregister()
  assert.equal(reply?.status, 200)
  assert.deepEqual([...loadedIn.keys()], ['guide.ts', 'openapi.ts', 'api-docs.ts'])
  assert.equal(new Set(loadedIn.values()).size, 3)
})
