import assert from 'node:assert/strict'
import test from 'node:test'
import { converted, namesAndHexes } from '../../support/converted.ts'

test('palette lines become colours, and a colour without a name is named by its hex', () => {
  const styles = converted(
    'GIMP Palette\r\nName: Acme\r\nColumns: 0\r\n# About\r\n\r\n 29 112 184\tDeep  Blue\r\n  0   0   0   Ink\r\n255 255 255\r\n1 2 3\tUntitled\r\n',
  )
  assert.deepEqual(namesAndHexes(styles), ['Deep  Blue #1d70b8', 'Ink #000000', '#ffffff #ffffff', '#010203 #010203'])
  assert.deepEqual(styles.notes, [])
})

test('a line that is not a colour is reported', () => {
  const styles = converted('GIMP Palette\n1 2\n300 0 0\tBright\n1 2 3\tGood\n-1 0 0\n')
  assert.deepEqual(namesAndHexes(styles), ['Good #010203'])
  assert.deepEqual(styles.notes, [
    '"line 2", "line 3", "line 5": is not three numbers from 0 to 255 and a name; left out',
  ])
})
