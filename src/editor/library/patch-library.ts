/**
 * Changes the text of Sveltia CMS, so that it keeps the bytes of our files and asks no other host than the forge.
 *
 * @throws unless each replaced string occurs exactly once: read the new version of the library, and update `CHANGES`
 */
export function patchLibrary(library: string): string {
  return Object.entries(CHANGES).reduce(applyChange, library)
}

function applyChange(library: string, [name, [from, to]]: [name: string, change: readonly [string, string]]): string {
  const [before, after, ...rest] = library.split(from)
  if (before === undefined || after === undefined || rest.length > 0) {
    const count = after === undefined ? 'does not contain' : 'contains more than once'
    throw new Error(`cannot ${name}: the library ${count} ${JSON.stringify(from)}; update this change`)
  }
  return `${before}${to}${after}`
}

/** Each purpose with the string in @sveltia/cms 0.221.1 that is replaced, and its replacement. */
export const CHANGES: Readonly<Record<string, readonly [from: string, to: string]>> = {
  'read a file without changing its line ends': [
    'async e=>(await e.text()).replace(/\\r\\n?/g,`\n`)',
    'async e=>new TextDecoder(`utf-8`,{ignoreBOM:!0}).decode(await e.arrayBuffer())',
  ],
  'give our parsers the whole text': ['e=e.trim().replace(/\\r\\n?/g,`\n`);let o=!a&&eF(i,t)', 'let o=!a&&eF(i,t)'],
  'give the other parsers the trimmed text': [
    'if(c)return c(e);if(s===`raw`)',
    'if(c)return c(e);e=e.trim().replace(/\\r\\n?/g,`\n`);if(s===`raw`)',
  ],
  'save the values of fields unchanged': ['r[e]=t.trim();let i=[...t.matchAll(', 'r[e]=t;let i=[...t.matchAll('],
  'save the text of our formatters unchanged': ['i=GP.get(n)?.formatter;', 'i=GP.get(n)?.formatter;if(i)return i(e);'],
  'show the colours that our files may contain, such as F80': [
    'SAe=e=>{if(typeof e!=`string`)return;',
    'SAe=e=>{if(typeof e!=`string`)return;e=e.trim().replace(/^#?(.)(.)(.)$/,`#$1$1$2$2$3$3`).replace(/^(?=.{6}$)/,`#`);',
  ],
  'keep the text of a colour until another is chosen': [
    'f=()=>{let e=CAe({rgb:R(s),alpha:R(c),enableAlpha:R(u)});r()!==e&&r(e)}',
    'f=()=>{let e=CAe({rgb:R(s),alpha:R(c),enableAlpha:R(u)}),n=SAe(r());e===(n?CAe({...n,enableAlpha:R(u)}):``)||r(e)}',
  ],
  'mark the picker of a colour without a value': [
    'm.readOnly=a(),q(m,`aria-invalid`,o())',
    'm.readOnly=a(),q(m,`data-empty`,R(s)?void 0:``),q(m,`aria-invalid`,o())',
  ],
  'accept a folder without .git': [
    'try{await n.getDirectoryHandle(`.git`)}catch(e){if(e.name===`TypeMismatchError`)await n.getFileHandle(`.git`);else throw e}',
    '',
  ],
  'offer no app to install, whose icon would be fetched from a data URL': [
    'try{let e=await fetch(t);if(!e.ok)throw Error(`Failed to fetch logo`)',
    'try{throw 0;let e=await fetch(t);if(!e.ok)throw Error(`Failed to fetch logo`)',
  ],
  'omit the search for a new version': [
    'LSe=async()=>{try{let e=await fetch(NSe);',
    'LSe=async()=>{return;try{let e=await fetch(NSe);',
  ],
  'offer only the included language': [
    '`ar,bg,ca,cs,da,de,el,en-CA,en-GB,en-US,es-CO,fa,fi,fr,hr,it,ja,ko,nl,pl,pt-BR,pt-PT,ru,sv,tr,uk,vi,zh-CN,zh-TW`.split(`,`)',
    '[`en-US`]',
  ],
  'show code without highlighting': [
    '{loadEngine:async()=>hk(()=>import(vk()),void 0),loadLanguage:async e=>hk(()=>import(yk(e)),void 0),loadTheme:async e=>hk(()=>import(bk(e)),void 0)}',
    '{loadEngine:async()=>{throw Error(`not included`)},loadLanguage:async()=>{},loadTheme:async()=>{}}',
  ],
  'load no other libraries': [
    'YW=async(e,t)=>hk(()=>import(',
    'YW=async(e,t)=>Promise.reject(Error(e+` is not included`))||hk(()=>import(',
  ],
  'load chunks only from the folder': [
    'if(!t)return[r];let i=new URL(n,t).href;return i===r?[r]:[i,r]',
    'return[new URL(n,t||document.baseURI).href]',
  ],
  'decode no HEIC in a worker': ['rG=1e4,iG,aG=!1,', 'rG=1e4,iG,aG=!0,'],
  'draw no thumbnails of PDFs': ['mj=e=>e.endsWith(`.pdf`)', 'mj=()=>!1'],
  'load no library for PDFs': ['LG=await hk(()=>import(PG),void 0)', 'throw Error(`not included`)'],
  'omit the GitHub status': [
    'kye=async()=>{try{let{status:{indicator:e}}=await ez(Oye);',
    'kye=async()=>{return`unknown`;try{let{status:{indicator:e}}=await ez(Oye);',
  ],
  'omit the GitLab status': [
    'Mbe=async()=>{try{let{result:{status_overall:{status_code:e}}}=await ez(jbe);',
    'Mbe=async()=>{return`unknown`;try{let{result:{status_overall:{status_code:e}}}=await ez(jbe);',
  ],
  'show no picture of the account': ['avatarURL:i.avatar_url,', 'avatarURL:void 0,'],
  'show no pictures of authors at GitHub': [
    'authorAvatarURL:e.author.avatarUrl,authorLogin:e.author.user',
    'authorAvatarURL:void 0,authorLogin:e.author.user',
  ],
  'show no pictures of authors at Gitea': [
    'authorAvatarURL:e.author?.avatar_url,authorLogin:e.author?.l',
    'authorAvatarURL:void 0,authorLogin:e.author?.l',
  ],
  'show no pictures of authors at GitLab': [
    'pbe=async e=>{try{let{avatar_url:t}=await tJ(',
    'pbe=async e=>{return;try{let{avatar_url:t}=await tJ(',
  ],
  'offer no stock photos': ['providers:Array.isArray(r)?r:n}', 'providers:[]}'],
  'use the font of text': [
    "src:url(https://cdn.jsdelivr.net/fontsource/fonts/source-sans-3:vf@5.3.0/latin-wght-normal.woff2)\n      format('woff2-variations');unicode-range:U+0000-00FF, ",
    "src:url(fonts/text-extended.woff2) format('woff2-variations');unicode-range:U+0100-0130, U+0132-0151, U+0154-017F, U+0218-021B;size-adjust:110%;\n  }\n  @font-face {font-family:'Source Sans 3';font-style:normal;font-display:swap;font-weight:200 900;src:url(fonts/text.woff2) format('woff2-variations');unicode-range:U+0000-00FF, ",
  ],
  'use the font of code': [
    'url(https://cdn.jsdelivr.net/fontsource/fonts/noto-mono@5.3.0/latin-400-normal.woff2)',
    'url(fonts/code.woff2)',
  ],
  'use the font of icons': [
    "url(https://cdn.jsdelivr.net/fontsource/fonts/material-symbols-outlined:vf@5.3.7/latin-wght-normal.woff2)\n      format('woff2-variations')",
    "url(fonts/icons.woff2) format('woff2')",
  ],
  'omit the source map': ['\n//# sourceMappingURL=sveltia-cms.js.map', ''],
}
