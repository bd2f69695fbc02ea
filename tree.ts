import { readLeaves } from './src/intake/markdown-blocks.ts'
import { readMarkdown } from './src/intake/markdown.ts'
const show = (text: string) => { console.log(JSON.stringify(text), readLeaves(text), readMarkdown(text)) }
show("> - [x] 1. [w](f1.md)\n>   \n>   word")
show("> <img src=\"f0.png\">\n> \n> - [x] 1. [w](f1.md)\n>   \n>   word\n\n")
