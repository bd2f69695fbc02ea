import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readColor } from '#delivery/lint/css/colors.ts'

test('colours within sRGB have the values that Chromium 156 paints, and others are mapped into it', () => {
  const painted: Record<string, string> = {
    red: '#ff0000 1',
    ReBeccaPurple: '#663399 1',
    transparent: '#000000 0',
    '#F0a': '#ff00aa 1',
    '#f0a8': '#ff00aa 0.533',
    '#ff00aa80': '#ff00aa 0.502',
    'rgb(1 2 3)': '#010203 1',
    'RGB(1,2,3,.5)': '#010203 0.5',
    'rgba(10%, 20%, 30%, 50%)': '#1a334d 0.5',
    'rgb(300 -5 0)': '#ff0000 1',
    'rgb(none 0 0)': '#000000 1',
    'rgb(1 2 3 / none)': '#010203 0',
    'rgb(1\n2\t3)': '#010203 1',
    'hsl(120,100%,25%)': '#008000 1',
    'hsl(0.5turn 50% 50% / 50%)': '#40bfbf 0.5',
    'hwb(200 30% 90%)': '#404040 1',
    'lab(50% 100% -100%)': '#bb4dff 1',
    'oklch(70% 0.4 150)': '#00c248 1',
    'color(display-p3 1 0 0)': '#ff0b0c 1',
    'color(srgb-linear 0.5 0.5 0.5)': '#bcbcbc 1',
    'rgb(from #ab12cd r g b / 50%)': '#ab12cd 0.5',
    'rgba(from rgb(1 2 3 / .2) b g r)': '#030201 0.2',
    'hsl(from red 120 s calc(l - 25))': '#008000 1',
    'oklch(from #1d70b8 calc(l * 1) c h / alpha)': '#1d70b8 1',
    'lab(from white calc(l / 2) a b)': '#777777 1',
    'color-mix(in srgb, red 40%, white)': '#ff9999 1',
    'color-mix(in srgb, 40% red, white)': '#ff9999 1',
    'color-mix(in oklch, blue 30%, red)': '#dc0089 1',
    'color-mix(in hsl, red 20%, blue 20%)': '#ff00ff 0.4',
    'color-mix(in srgb, rgb(255 0 0 / 20%), blue)': '#2b00d4 0.6',
    'color-mix(in srgb, red, transparent 60%)': '#ff0000 0.4',
    'color-mix(in srgb, color-mix(in srgb, red, rgb(0 0 0)), white)': '#bf8080 1',
  }
  const values = Object.keys(painted).map(text => {
    const color = readColor(text)
    return [text, `${color?.hex} ${color?.alpha}`]
  })
  assert.deepEqual(Object.fromEntries(values), painted)
})

test('wrong arguments, system colours, variables and other words are no colours', () => {
  const others = [
    'rgb(1px 2 3)',
    'hsl(1px 2 3)',
    'lab(1px 2 3)',
    'color(srgb 1px 2 3)',
    'rgb(1 2 3 / 1px)',
    'color(1px 1 1 1)',
    'rgb(1 2)',
    'rgb(1, 2, 3 / 1)',
    'rgb(10%, 2, 3)',
    'hsl(120, 100, 50)',
    'color(foo 1 1 1)',
    'rgb()',
    'color()',
    'currentColor',
    'CanvasText',
    'rgb(from red x g b)',
    'rgb(from nothing r g b)',
    'oklch(from red calc(l * (1 + 1)) c h)',
    'color(from red srgb r g b)',
    'rgb(var(--a) 0 0)',
    'rgb(calc(1) 0 0)',
    'inherit',
    '',
    '#12345',
    'ff0000',
    'constructor',
    'rgb(1 2 3',
    'hsl(1e999 50% 50%)',
    `rgb(1 2 3${' '.repeat(1000)})`,
    'color-mix(in srgb, red)',
    'color-mix(in foo, red, blue)',
    'color-mix(in 1px, red, blue)',
    'color-mix(in srgb, red 120%, blue)',
    'color-mix(in srgb, red 0%, blue 0%)',
    'color-mix(in hsl longer hue, red, blue)',
    'color-mix()',
  ]
  const unexpected = others.filter(text => readColor(text))
  assert.deepEqual(unexpected, [])
})
