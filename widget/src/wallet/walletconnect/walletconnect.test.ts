import { expect } from '@open-wc/testing'
import { chunkName, distUrl } from '../../test/dist.ts'
import { EmulatedRelay } from '../../test/relay.ts'
import { waitUntil } from '../../test/wait-until.ts'

const chain = {
  id: 8453,
  name: 'Base',
  rpcUrls: ['https://rpc.example'],
  coin: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  hasCoin: true,
  explorerUrl: 'https://explorer.example',
}

test('WalletConnect opens a window with a code, and closing it is a refusal that costs nothing', async () => {
  const file = distUrl(await chunkName('walletconnect'))
  const relay = new EmulatedRelay()
  const { connectByWalletConnect } = await import(file.href)
  const project = '0123456789abcdef0123456789abcdef'
  const connected = connectByWalletConnect(project, chain).then(
    () => 'connected',
    (error: { code?: number; message?: string }) => error.code ?? error.message,
  )
  await waitUntil(() => document.querySelector('w3m-modal')?.classList.contains('open'), 'the window is open')
  await waitUntil(() => relay.opened.length > 0)
  document.querySelector('w3m-modal')?.shadowRoot?.querySelector<HTMLElement>('wui-flex')?.click()
  expect(await connected).to.equal(4001)
  expect(relay.opened[0]).to.equal('relay.walletconnect.org')
  relay.restore()
})
