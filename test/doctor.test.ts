import { readFileSync } from 'node:fs'
import { Keypair } from '@solana/web3.js'
import { createTestClient, http } from 'viem'
import { expect, test } from 'vitest'
import { runBeside, writeConfig } from './harness/bff.ts'
import { openStory } from './harness/story.ts'

const { bff, files, gates, devnet, onSolana } = await openStory('doctor', {
  keepsPort: true,
  gated: true,
  solana: true,
})

type Finding = { check: string; subject: string; state: string; says: string; fix: string | null }
type Report = { bad: number; warnings: number; good: number; findings: Finding[] }

async function doctor(): Promise<{ exitCode: number | null; report: Report }> {
  const { exitCode, stdout, stderr } = await runBeside(['doctor', '--json'], files.env)
  if (stdout === '') throw new Error(stderr)
  return { exitCode, report: JSON.parse(stdout) as Report }
}

const bad = ({ report }: { report: Report }) =>
  report.findings.filter((finding) => finding.state === 'bad' && !isOfTravel(finding))

/** Other stories have travelled in time on the one local Solana, whose clock never goes back. */
const isOfTravel = ({ check, subject }: Finding) => check === 'clock' && subject.includes('Solana')

test('the doctor finds a running service well, and names what is then broken, with what to do', async () => {
  const config = JSON.parse(readFileSync(files.configPath, 'utf8')) as { networks: object[] }
  const port = Number(new URL(bff.url()).port)
  writeConfig(files.configPath, { ...config, port })
  const { rpcUrl } = devnet.networks[0]
  const node = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
  const well = await doctor()
  expect(bad(well)).toEqual([])
  const badByTravel = well.report.findings.filter((finding) => finding.state === 'bad' && isOfTravel(finding)).length
  expect(well.report.bad).toBe(badByTravel)
  expect(well.exitCode).toBe(badByTravel)
  const checks = new Set(well.report.findings.map(({ check }) => check))
  for (const check of [
    'rpc',
    'logs',
    'factory',
    'splitter',
    'token',
    'permit',
    'gas',
    'wallet',
    'durability',
    'cors',
  ]) {
    expect(checks, check).toContain(check)
  }
  const { stdout } = await runBeside(['doctor', '--no-webhooks'], files.env)
  expect(stdout).toMatch(/^ok {3}cors: .*pages of any site to call it/m)
  expect(stdout).toMatch(new RegExp(`\\d+ good, \\d+ warnings, ${badByTravel} bad\n$`))

  await gates['devnet-b'].close()
  const { secretKey } = Keypair.generate()
  files.env['SOLANA_FEE_PAYER_KEY'] = JSON.stringify([...secretKey])
  await node.setBalance({ address: devnet.operator.address, value: 0n })
  const ill = await doctor()
  expect(ill.exitCode).toBe(1)
  expect(bad(ill).map(({ check, subject }) => `${check}: ${subject}`)).toEqual([
    'gas: Devnet',
    'rpc: Devnet B, node 1 of 1',
    expect.stringMatching(/^gas: .*Solana/),
  ])
  for (const { fix } of bad(ill)) expect(fix).toMatch(/Send|rpcUrls/)
  await onSolana?.gate.close()
  expect(bad(await doctor())).toContainEqual(
    expect.objectContaining({ check: 'rpc', subject: expect.stringMatching(/Solana.*, node 1 of 1$/) }),
  )
})
