// Loaded with `node --import`: writes the address of each code file that the process loads into the file `LOADED_FILES`. Node's
// own report (`NODE_V8_COVERAGE`) doubles the work of starting the service.
import { appendFileSync } from 'node:fs'
import module, { register } from 'node:module'
import { pathToFileURL } from 'node:url'
import { isMainThread } from 'node:worker_threads'

const list = process.env.LOADED_FILES ?? ''

/** Runs in Node's loader thread, for every imported module. */
export function load(url, context, nextLoad) {
  appendFileSync(list, `${url}\n`)
  return nextLoad(url, context)
}

// That thread imports this file too.
if (isMainThread) {
  register(import.meta.url)
  // Files required by required files are not imports.
  process.on('exit', () => {
    for (const path of Object.keys(module._cache)) appendFileSync(list, `${pathToFileURL(path)}\n`)
  })
}
