// Compiles the contracts and writes what the service and the devnet import. The outputs are committed: bytecode decides
// deposit addresses, so a change in it must show in review. `--check` compares instead of writing.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { concat, getContractAddress, getCreate2Address, keccak256 } from 'viem'
import { compile, compileDeposits, root } from './build.mjs'

/** Arachnid's deterministic deployer: one address on every EVM chain, and what it deploys depends on code and salt alone. */
const deterministicDeployer = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
const factorySalt = `0x${'00'.repeat(32)}`

const header =
  '// Written by bff/contracts/compile.mjs from the Solidity sources. Do not edit: run `npm run contracts -w bff`.\n'

function declare(name, { abi, bytecode }) {
  const lines = abi.map((item) => `    ${JSON.stringify(item)},\n`).join('')
  const code = bytecode === undefined ? '' : `  bytecode: '${bytecode}',\n`
  return `\nexport const ${name} = {\n  abi: [\n${lines}  ],\n${code}} as const\n`
}

/** solady's PUSH0 clone of `implementation`, as LibClone.initCode_PUSH0 has it; a test compares it with the chain. */
function cloneInitCode(implementation) {
  return concat(['0x602d5f8160095f39f35f5f365f5f37365f73', implementation, '0x5af43d5f5f3e6029573d5ffd5b3d5ff3'])
}

function depositContracts() {
  const { factory, forwarder } = compileDeposits()
  const factoryAddress = getCreate2Address({
    from: deterministicDeployer,
    salt: factorySalt,
    bytecode: factory.bytecode,
  })
  // The factory's constructor creates the implementation first, so it has the factory's nonce 1.
  const implementation = getContractAddress({ from: factoryAddress, nonce: 1n })
  return [
    header,
    declare('depositFactory', factory),
    declare('depositForwarder', { abi: forwarder.abi }),
    `\nexport const deterministicDeployer = '${deterministicDeployer}'\n`,
    `export const factorySalt = '${factorySalt}'\n`,
    `export const factoryAddress = '${factoryAddress}'\n`,
    `export const implementationAddress = '${implementation}'\n`,
    `export const cloneInitCodeHash = '${keccak256(cloneInitCode(implementation))}'\n`,
  ].join('')
}

function testTokens() {
  const path = (name) => `demo/devnet/contracts/${name}.sol`
  const artifact = compile(['TestUSDC', 'TestUSDT'].map(path))
  return [
    header,
    declare('testUsdc', artifact(path('TestUSDC'))),
    declare('testUsdt', artifact(path('TestUSDT'))),
  ].join('')
}

function isCurrent(path, text) {
  try {
    return readFileSync(new URL(path, root), 'utf8') === text
  } catch {
    return false
  }
}

const outputs = {
  'bff/src/chain/contracts.generated.ts': depositContracts(),
  'demo/devnet/tokens.generated.ts': testTokens(),
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
