import assert from 'node:assert/strict'
import test from 'node:test'
import { readTraceContext, traceHeaders } from '#platform/telemetry/trace-context.ts'
import { fc, forAll } from '../../support/random.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'
const PARENT = `00-${TRACE}-${SPAN}-01`

test('the trace, the span and the state of a client are passed on unchanged', () => {
  const state = 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE, tenant@system=a b,,x='.replace(',x=', '')
  const context = readTraceContext(PARENT, state)
  assert.deepEqual(context, { traceId: TRACE, parentId: SPAN, isSampled: true, state })
  assert.deepEqual(context && traceHeaders(context), { traceparent: PARENT, tracestate: state })
})

test('a later version is read and passed on as the known version', () => {
  for (const parent of [`cc-${TRACE}-${SPAN}-09-what the future will be like`, `01-${TRACE}-${SPAN}-01`]) {
    const context = readTraceContext(parent, undefined)
    assert.deepEqual(context && traceHeaders(context), { traceparent: PARENT })
  }
})

for (const [what, parent] of Object.entries({
  nothing: '',
  'two of them': `${PARENT}, ${PARENT}`,
  'the forbidden version': `ff-${TRACE}-${SPAN}-01`,
  'more parts than version 0': `${PARENT}-01`,
  'upper case': PARENT.toUpperCase(),
  'a trace of zeros': `00-${'0'.repeat(32)}-${SPAN}-01`,
  'a span of zeros': `00-${TRACE}-${'0'.repeat(16)}-01`,
  'a trace that is too short': `00-${TRACE.slice(1)}-${SPAN}-01`,
  'no flags': `00-${TRACE}-${SPAN}`,
  'a later version whose extra part lacks a hyphen': `cc-${TRACE}-${SPAN}-01.what`,
  'a line break': `${PARENT}\n`,
  'a very long string': `cc-${TRACE}-${SPAN}-01-${'x'.repeat(9000)}`,
}))
  test(`a traceparent with ${what} is not a trace`, () => {
    assert.equal(readTraceContext(parent, 'a=1'), undefined)
  })

for (const state of ['a', 'A=1', 'a=1,a=2', 'a=é', 'a=1=2', 'a=', ' , ', `a=${'x'.repeat(600)}`, 'x@=1', '@x=1'])
  test(`a tracestate of ${JSON.stringify(state).slice(0, 20)} is dropped, and the trace is kept`, () => {
    assert.deepEqual(readTraceContext(PARENT, state), { traceId: TRACE, parentId: SPAN, isSampled: true, state: '' })
  })

test('a state with more than 32 members is dropped', () => {
  const members = (count: number) => Array.from({ length: count }, (_, at) => `k${at}=1`).join()
  assert.notEqual(readTraceContext(PARENT, members(32))?.state, '')
  assert.equal(readTraceContext(PARENT, members(33))?.state, '')
})

test('any accepted input is passed on with the same meaning', () =>
  forAll([fc.string(), fc.string()], (tail, state) => {
    const context = readTraceContext(PARENT.slice(0, -2) + tail, state)
    if (!context) return
    const { traceparent, tracestate } = traceHeaders(context)
    assert.deepEqual(readTraceContext(traceparent, tracestate), context)
  }))
