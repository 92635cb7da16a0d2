// Compiles the contracts and writes what the service and the devnet import. The outputs are committed: bytecode decides
// deposit addresses, so a change in it must show in review. `--check` compares instead of writing.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { concat, getContractAddress, getCreate2Address, keccak256 } from 'viem'
import { compile, compileDeposits, compileSplitter, root } from './build.mjs'

/** Arachnid's deterministic deployer: one address on every EVM chain, and what it deploys depends on code and salt alone. */
const deterministicDeployer = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
const factorySalt = `0x${'00'.repeat(32)}`

/**
 * Hash of the code that lies on a chain.
 * @param immutables - Their values, in the order in which they are declared; the compiler leaves room for them.
 */
function codeHash({ runtime }, immutables = []) {
  const places = Object.entries(runtime.immutableReferences ?? {}).sort(([a], [b]) => Number(a) - Number(b))
  if (places.length !== immutables.length) throw new Error(`There are ${places.length} immutables.`)
  let code = runtime.object
  for (const [index, [, references]] of places.entries()) {
    for (const { start, length } of references) {
      const value = immutables[index].slice(2).padStart(2 * length, '0')
      code = `${code.slice(0, 2 * start)}${value}${code.slice(2 * (start + length))}`
    }
  }
  return keccak256(`0x${code}`)
}

function create2Address({ bytecode }) {
  return getCreate2Address({ from: deterministicDeployer, salt: factorySalt, bytecode })
}

const header =
  '// Written by bff/contracts/compile.mjs from the Solidity sources. Do not edit: run `npm run contracts -w bff`.\n'

function declare(name, { abi, bytecode, address, codeHash }) {
  const lines = abi.map((item) => `    ${JSON.stringify(item)},\n`).join('')
  const code = bytecode === undefined ? '' : `  bytecode: '${bytecode}',\n`
  const place = address === undefined ? '' : `  address: '${address}',\n`
  const hash = codeHash === undefined ? '' : `  codeHash: '${codeHash}',\n`
  return `\nexport const ${name} = {\n  abi: [\n${lines}  ],\n${code}${place}${hash}} as const\n`
}

/** solady's PUSH0 clone of `implementation`, as LibClone.initCode_PUSH0 has it; a test compares it with the chain. */
function cloneInitCode(implementation) {
  return concat(['0x602d5f8160095f39f35f5f365f5f37365f73', implementation, '0x5af43d5f5f3e6029573d5ffd5b3d5ff3'])
}

function contracts() {
  const { factory, forwarder } = compileDeposits()
  const splitter = compileSplitter()
  const factoryAddress = create2Address(factory)
  // The factory's constructor creates the implementation first, so it has the factory's nonce 1.
  const implementation = getContractAddress({ from: factoryAddress, nonce: 1n })
  const cloneInitCodeHash = keccak256(cloneInitCode(implementation))
  return [
    header,
    declare('depositFactory', { ...factory, codeHash: codeHash(factory, [implementation, cloneInitCodeHash]) }),
    declare('depositForwarder', { abi: forwarder.abi }),
    declare('paymentSplitter', { ...splitter, address: create2Address(splitter), codeHash: codeHash(splitter) }),
    `\nexport const deterministicDeployer = '${deterministicDeployer}'\n`,
    `export const factorySalt = '${factorySalt}'\n`,
    `export const factoryAddress = '${factoryAddress}'\n`,
    `export const implementationAddress = '${implementation}'\n`,
    `export const cloneInitCodeHash = '${cloneInitCodeHash}'\n`,
  ].join('')
}

function testTokens() {
  const path = (name) => `bff/test/devnet/contracts/${name}.sol`
  const artifact = compile(['TestUSDC', 'TestUSDT', 'TestEURC', 'TestTronUSDT'].map(path))
  return [
    header,
    declare('testUsdc', artifact(path('TestUSDC'))),
    declare('testUsdt', artifact(path('TestUSDT'))),
    declare('testEurc', artifact(path('TestEURC'))),
    declare('testTronUsdt', artifact(path('TestTronUSDT'))),
  ].join('')
}

function smartAccount() {
  const path = 'bff/test/devnet/contracts/TestSmartAccount.sol'
  return [header, declare('testSmartAccount', compile([path])(path))].join('')
}

function isCurrent(path, text) {
  try {
    return readFileSync(new URL(path, root), 'utf8') === text
  } catch {
    return false
  }
}

const outputs = {
  'bff/src/chain/evm/deploy/contracts.generated.ts': contracts(),
  'bff/test/devnet/tokens.generated.ts': testTokens(),
  'bff/test/devnet/smart-account.generated.ts': smartAccount(),
}
const stale = Object.keys(outputs).filter((path) => !isCurrent(path, outputs[path]))
if (process.argv.includes('--check')) {
  for (const path of stale)
    process.stderr.write(`${path} differs from its sources: run \`npm run contracts -w bff\`.\n`)
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  for (const path of stale) {
    writeFileSync(new URL(path, root), outputs[path])
    process.stdout.write(`wrote ${fileURLToPath(new URL(path, root))}\n`)
  }
}
