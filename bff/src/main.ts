#!/usr/bin/env node
import manifest from '../../package.json' with { type: 'json' }
import { refusedRelease } from '../node-release.mjs'

const refusal = refusedRelease(process.versions.node, manifest.engines.node)
if (refusal === undefined) {
  // Loaded after the check: an older Node cannot even link it. No `await` at the top: the binary cannot have one.
  void import('./command-line.ts').then(({ runCommandLine }) => runCommandLine())
} else {
  process.stderr.write(`${refusal}\n`)
  process.exitCode = 1
}
