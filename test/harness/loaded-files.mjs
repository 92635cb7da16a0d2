// `node --import` of this file: has the process write the address of each file that it loads as code into the file `LOADED_FILES`. Node's
// own report of them (`NODE_V8_COVERAGE`) costs a start of the service as much work again.
import { appendFileSync } from 'node:fs'
import module, { register } from 'node:module'
import { pathToFileURL } from 'node:url'
import { isMainThread } from 'node:worker_threads'

const list = process.env.LOADED_FILES ?? ''

/** Runs in Node's thread for loaders, for every module that is imported. */
export function load(url, context, nextLoad) {
  appendFileSync(list, `${url}\n`)
  return nextLoad(url, context)
}

// That thread imports this file, too.
if (isMainThread) {
  register(import.meta.url)
  // What was required by another file that was required is no import.
  process.on('exit', () => {
    for (const path of Object.keys(module._cache)) appendFileSync(list, `${pathToFileURL(path)}\n`)
  })
}
