import assert from 'node:assert/strict'
import test from 'node:test'
import { validate } from 'dockerfile-utils'
import { dockerfile, image } from './image-build.ts'

test('the Dockerfile has no errors and no deprecated instructions', () => {
  assert.deepEqual(validate(dockerfile), [])
  assert.notDeepEqual(validate(dockerfile.replace('WORKDIR /build', 'WORKDER /build')), [])
})

test('the image does not run as root, and has a readiness check', () => {
  assert.match(image, /^USER 1000:1000$/m)
  assert.doesNotMatch(image.slice(image.indexOf('USER')), /^(?:RUN|COPY|ADD)/m)
  assert.match(image, /^HEALTHCHECK .*\n +CMD \["node", "--eval", .*\/readyz/m)
})

test('the image begins with an init, and its package is built on the architecture of the builder', () => {
  assert.match(image, /^ENTRYPOINT \["\/usr\/bin\/tini", "--", "housestyle"\]$/m)
  const platforms = Array.from(dockerfile.matchAll(/^FROM (?:--platform=(\S+) )?\S+/gm), ([, platform]) => platform)
  assert.deepEqual(platforms, ['$BUILDPLATFORM', undefined])
})
