// The compiler, its settings and its sources: what is deployed comes from here, and so do the bytes that forge tests.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import solc from 'solc'

const require = createRequire(import.meta.url)
export const root = new URL('../../', import.meta.url)

/** No metadata, so that comments do not move addresses. */
const settings = {
  viaIR: true,
  optimizer: { enabled: true, runs: 1_000_000 },
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode'] } },
}

function readSource(path) {
  return { content: readFileSync(new URL(path, root), 'utf8') }
}

function findImport(path) {
  try {
    return { contents: readFileSync(require.resolve(path), 'utf8') }
  } catch (error) {
    return { error: error.message }
  }
}

/**
 * @param {string[]} paths - Sources from the repository's root; their relative imports must be listed too.
 * @param {string} evmVersion - Shanghai by default, because every supported network has PUSH0.
 * @returns the artifact of each path's contract, which has the file's name.
 */
export function compile(paths, evmVersion = 'shanghai') {
  const sources = Object.fromEntries(paths.map((path) => [path, readSource(path)]))
  const input = { language: 'Solidity', sources, settings: { ...settings, evmVersion } }
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: findImport }))
  const isOurs = (fault) => fault.sourceLocation === undefined || fault.sourceLocation.file in sources
  const faults = (output.errors ?? []).filter((fault) => fault.severity === 'error' || isOurs(fault))
  if (faults.length > 0) throw new Error(faults.map((fault) => fault.formattedMessage).join('\n'))
  return (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1, -'.sol'.length)
    const { abi, evm } = output.contracts[path][name]
    return { abi, bytecode: `0x${evm.bytecode.object}`, runtime: evm.deployedBytecode }
  }
}

const path = (name) => `bff/contracts/src/${name}.sol`

/** The factory and the forwarder that it creates. */
export function compileDeposits() {
  const artifact = compile(['DepositFactory', 'DepositForwarder', 'Terms'].map(path))
  return { factory: artifact(path('DepositFactory')), forwarder: artifact(path('DepositForwarder')) }
}

/** Cancun, because its guard lives in transient storage, which every supported network has and which saves 2,000 gas a payment. */
export function compileSplitter() {
  return compile(['PaymentSplitter', 'IPaymentSplitter', 'PaymentDetails'].map(path), 'cancun')(path('PaymentSplitter'))
}
