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
    'if(c)return window.housestyleSaves.readEntry(t,e,c);e=e.trim().replace(/\\r\\n?/g,`\n`);if(s===`raw`)',
  ],
  'say why a file is left out': [
    'zf(e,{get show(){return R(n)},set show(e){j(n,e,!0)},children:(e,t)=>{El(e,{status:`error`,children:(e,t)=>{ii();var n=B();L(e=>U(n,e),[()=>Y(`entry_parse_errors`,{values:{count:AP.current.length}})])',
    'zf(e,{duration:6e4,get show(){return R(n)},set show(e){j(n,e,!0)},children:(e,t)=>{El(e,{status:`error`,children:(e,t)=>{ii();var n=B();L(e=>U(n,e),[()=>AP.current.map(e=>e.message).join(` \u2002 `)])',
  ],
  'find the uses of a file in every entry': [
    'M1=async e=>{let t=await j1(e);return t?ZI(t):[]}',
    'M1=async e=>window.housestyleSaves.usesOf(e.path,DP.current)',
  ],
  'delete no file that is in use': [
    'x2=async e=>{let t=new Set(await wDe(e))',
    'x2=async e=>{let t=[];for(let n of e)for(let e of await M1(n)){let[r]=RI(e),[i]=LP(r,e);t.push({entry:e,keyPath:n.path,collectionLabel:NF(r),summary:i?IP(i):tR(r,e,{useTemplate:!0}),fieldLabel:n.name,messages:[`in use`]})}return{targets:[],blockers:t}},housestyleUnused=async e=>{let t=new Set(await wDe(e))',
  ],
  'give no file in use another name': [
    'return`duplicate`}),_=k(()=>!!R(g))',
    'return`duplicate`;if(i())return`used`}),_=k(()=>!!R(g))',
  ],
  'say so': [
    'one {{Enter a new name below. An entry using the asset will also be updated.}} * {{Enter a new name below. {$count} entries using the asset will also be updated.}}`,enter_new_name_for_asset_error:{',
    '* {{This file is in use.}}`,enter_new_name_for_asset_error:{used:`Entries use this file by its name. Update those entries first.`,',
  ],
  'move no file that is in use': [
    'E2=async(e,t,{extraChanges:n=[],notify:r=!0}={})=>{',
    'E2=async(e,t,{extraChanges:n=[],notify:r=!0}={})=>{if((await x2(t.map(e=>e.asset))).blockers.length)throw Error(`Entries use these files by their names.`);',
  ],
  'save the values of fields unchanged': ['r[e]=t.trim();let i=[...t.matchAll(', 'r[e]=t;let i=[...t.matchAll('],
  'save the text of our formatters unchanged': ['i=GP.get(n)?.formatter;', 'i=GP.get(n)?.formatter;if(i)return i(e);'],
  'show the colours that our files may contain, such as F80': [
    'SAe=e=>{if(typeof e!=`string`)return;',
    'SAe=e=>{if(typeof e!=`string`)return;e=e.trim().replace(/^#?(.)(.)(.)$/,`#$1$1$2$2$3$3`).replace(/^(?=.{6}$)/,`#`);',
  ],
  'keep the text of a colour until another is chosen, and what is typed, which is checked as a whole': [
    'd=()=>{let e=SAe(r());e&&(R(s)!==e.rgb&&j(s,e.rgb,!0),R(u)&&R(c)!==e.alpha&&j(c,e.alpha,!0))},f=()=>{let e=CAe({rgb:R(s),alpha:R(c),enableAlpha:R(u)});r()!==e&&r(e)}',
    'd=()=>{r()!==R(s)&&j(s,SAe(r())?.rgb??r()??``,!0)},f=()=>{let e=R(s)??``;e===(SAe(r())?.rgb??r()??``)||r(e)}',
  ],
  'mark the picker of a colour without a value': [
    'm.readOnly=a(),q(m,`aria-invalid`,o())',
    'm.readOnly=a(),q(m,`data-empty`,R(s)?void 0:``),q(m,`aria-invalid`,o())',
  ],
  'name the main part of the door': ['none" class="container svelte-7ua6x9', 'main" class="container svelte-7ua6x9'],
  'name the main part of an open entry': ['group" class="wrapper content-', 'main" class="wrapper content-'],
  'accept a folder without .git': [
    'try{await n.getDirectoryHandle(`.git`)}catch(e){if(e.name===`TypeMismatchError`)await n.getFileHandle(`.git`);else throw e}',
    '',
  ],
  'find what changed in the branch, its proposals or the folder before a save': [
    'let{isNew:t,originalEntry:n}=e;if(!t&&n){try{await SZ()}catch(e){console.error(`Failed to check the repository for changes.`,e)}return w5(n)}}',
    'let{isNew:t,originalEntry:n}=e;try{await SZ(),await nSe()}catch(e){console.error(`Failed to check the repository for changes.`,e)}if(!t&&n)return window.housestyleSaves.findConflict({draft:e,proposal:GZ(e),backend:iX.current,entries:DP,flatten:AA})}',
  ],
  'give a new page another name than proposed ones': [
    'bhe=(e,t)=>YI(e).map(',
    'bhe=(e,t)=>[...YI(e),...IZ.current.filter(t=>t.workflow.collectionName===e)].map(',
  ],
  'compare proposals, too': ['if(!c){let t=await xLe(e)', '{let t=await xLe(e)'],
  'fetch nothing between the comparison and the save': [
    '}=iX.current;try{await SZ()}catch(e){console.error(`Failed to check the repository for changes.`,e)}return Mxe(',
    '}=iX.current;if(!t.length)try{await SZ()}catch(e){console.error(`Failed to check the repository for changes.`,e)}return Mxe(',
  ],
  'show both versions instead of overwriting one': [
    '(j(p,{conflict:t.cause,skipCI:e},!0),j(f,!0)):t.message===`saving_failed`',
    'window.housestyleSaves.showConflict({conflict:t.cause,draft:n,unflatten:jA,flatten:AA,reload:e=>SLe({entryDraft:i,entry:e})}):t.message===`saving_failed`',
  ],
  'save the form that a dialogue has changed': [
    'Le=async({skipCI:e=void 0,',
    'Le=window.housestyleSaves.save=async({skipCI:e=void 0,',
  ],
  'say that both versions are kept': [
    'If you save now, their changes will be lost.',
    'When you save, you see both versions, and both are kept.',
  ],
  'say why a text cannot be saved': [
    '(j(h,!0),j(g,``),console.error(t))',
    '(j(h,!0),j(g,t.message,!0),console.error(t))',
  ],
  'keep what was pasted, dictated or put by a button': [
    'if(!(AW.useDraftBackup??!0)||!e.interacted)return',
    'if(!(AW.useDraftBackup??!0))return',
  ],
  'say that a failed save loses nothing': [
    'title:`Error`,description:`There was an error while saving the entry. Please try again later.`',
    'title:`Not Saved`,description:`Your text stays in this form, and this browser keeps a copy.`',
  ],
  'say that the sign-in has ended': [
    'cause:{status:s,message:l}})}',
    'cause:{status:s,message:s===401?`Your sign-in at the host has ended. Reload this page, sign in, and choose “Restore”.`:l}})}',
  ],
  'say that there is no connection': [
    'throw Error(`Failed to send the request`,{cause:e})',
    'throw Error(`Failed to send the request`,{cause:Error(`There is no connection to the host. Save again later.`)})',
  ],
  'let GitLab refuse a save over a change that has just arrived': [
    'commit_message:DJ(e,t),actions:r}',
    'commit_message:DJ(e,t),actions:t.branch?r:await Promise.all(r.map(async e=>e.action===`update`&&e.encoding===`text`?{...e,last_commit_id:(await tJ(`/projects/`+LY()+`/repository/files/`+encodeURIComponent(e.file_path)+`?ref=`+LJ.current)).last_commit_id}:e))}',
  ],
  'see the saves of another tab': [
    'e=>o.includes(e)&&!n.has(e))?a:',
    'e=>o.includes(e)&&!n.has(e))&&(0,HA.default)(e.locales,a.locales)?a:',
  ],
  'create a deleted file again, save nothing if no line changed, and continue from the saved text': [
    '}=await f2({draft:e,slugs:l}),{changes:m,savingEntries:h}',
    '}=await f2({draft:e,slugs:l});n&&Object.assign(f.at(-1),{action:`create`,previousSha:void 0});if(window.housestyleSaves.isUnchanged(s,f))return f4(a,r?``:u),s;window.housestyleSaves.reread(d,f.at(-1),AA);let{changes:m,savingEntries:h}',
  ],
  'count the form of a file that does not exist as changed only with a value': [
    'ye=k(()=>R(C)||i.modified)',
    'ye=k(()=>i.modified||R(C)&&!R(te))',
  ],
  'count a form as changed only if a value is new or gone': [
    'e2=(e,t)=>!Y0.test(t)&&e[t]!==void 0',
    'e2=(e,t)=>!Y0.test(t)&&!window.housestyleSaves.isAbsent(e[t])',
  ],
  'keep what was typed in the last moment': [
    'Ake=e=>{globalThis.clearTimeout(s4),e&&c4&&(s4=globalThis.setTimeout(()=>{Tke(e)},500))}',
    'Ake=e=>{globalThis.clearTimeout(s4),globalThis.onpagehide=null,e&&c4&&(s4=globalThis.setTimeout(()=>{Tke(e)},100),globalThis.onpagehide=()=>{Tke(e)})}',
  ],
  'keep it also if the page ends before the browser has stored it': [
    'c4=new QO(t,`draft-backups`,{keyPath:[`collectionName`,`slug`]})',
    'c4=window.housestyleSaves.storeAtOnce(new QO(t,`draft-backups`,{keyPath:[`collectionName`,`slug`]}))',
  ],
  'find pictures of others before an upload, and give it another name': [
    'I2=async(e,t)=>{let{files:n,folder:r}=e,i=QDe(e)',
    'I2=async(e,t)=>{await SZ().catch(()=>{});let{files:n,folder:r}=e,i=QDe(e)',
  ],
  'replace only pictures that the dialogue of an upload has named': [
    'replaceDuplicates:R(r)}',
    'replaceDuplicates:R(r)&&R(C)>0}',
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
  'offer a folder only where one is edited': [
    'l=k(()=>ZR.isLocalHost&&',
    'l=k(()=>document.body.classList.contains(`folder`)&&ZR.isLocalHost&&',
  ],
  'let people zoom in': ['`maximum-scale=1`,', ''],
  'list the pages of all folders': [
    'let{subfolders:i}=r,a=PO(n);return t.filter(',
    'let{subfolders:i}=r,a=PO(n);return a===``?t:t.filter(',
  ],
  'list pages in the order of the guide': [
    'let i=[...e];if(n===void 0)return i;',
    'let i=[...e];{let e=new Map((window.housestyleGuides?.[t.name]?.paths??[]).map((e,t)=>[e,t])),n=({subPath:t})=>e.get(t)??e.size;return i.sort((e,t)=>n(e)-n(t))}',
  ],
  'call folders by the names of their pages': [
    'let a=t.slice(t.lastIndexOf(`/`)+1);return n&&tR(',
    'let a=window.housestyleGuides?.[e.name]?.names[t]??t.slice(t.lastIndexOf(`/`)+1);return n&&tR(',
  ],
  'omit the source map': ['\n//# sourceMappingURL=sveltia-cms.js.map', ''],
}
