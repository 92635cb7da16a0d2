import type { ExampleValues } from './access/operation/openapi-examples.ts'

const till = { name: 'Counter', isBlocked: false, browser: 'Chrome on a tablet' }
const pairing = {
  till,
  qr: { size: 29, modules: '/pz4f4Jtkg==' },
  link: 'https://pay.example/till#pair=7Qk2mX0vT4bN1sKz7Qk2mX0vT4bN1sKz7Qk2mX0vT4b',
}
const sale = {
  id: 'pl_4fJtkVn3cXo0T2yqY9sLwQ1b',
  description: 'Two coffees',
  payment: null,
  receiptUrl: null,
  receiptQr: null,
}

/** Answers of invitations, tills, receipts, stores and registrations in the OpenAPI document, by operation. */
export const dashboardExamples: Readonly<Record<string, ExampleValues>> = {
  createInvitation: {
    id: '4c1f4c1f4c1f4c1f4c1f4c1f4c1f4c1f4c1f4c1f4c1f4c1f4c1f4c1f4c1f4c1f',
    link: 'https://pay.example/dashboard/invitation#7Qk2mX0vT4bN1sKz',
  },
  readReceipt: {
    receipt: { url: 'https://pay.example/pay/7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11/receipt', description: null },
  },
  listTills: { tills: till },
  createTill: pairing,
  createTillPairing: pairing,
  updateTill: { till },
  readTill: { till: { name: 'Counter', merchantName: 'Corner Coffee', isBlocked: false } },
  createSale: { sale },
  listSales: { sales: sale, isComplete: true },
  readSale: { sale },
  cancelSale: { sale: { ...sale, state: 'cancelled' } },
  createStoreWebhook: { webhook: { url: 'https://forum.example/payment_callback.php?_xfProvider=btcPayServer' } },
  readWalletRegistration: {
    registration: {
      address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      chain: {
        chainId: 4217,
        name: 'Tempo',
        rpcUrls: 'https://rpc.tempo.xyz',
        nativeCurrency: { name: 'US Dollar', symbol: 'USD', decimals: 18 },
        explorerUrl: 'https://explore.tempo.xyz',
      },
    },
  },
}

/** Requests of links and tills. */
export const tillRequests: Readonly<Record<string, ExampleValues>> = {
  createLink: { price: '25.00', priceCurrency: 'USD', description: 'Table 7', orderId: 'A-1042' },
  createTill: { name: 'Counter', pin: '204816', priceCurrency: 'EUR' },
  pairTill: { token: '7Qk2mX0vT4bN1sKz7Qk2mX0vT4bN1sKz7Qk2mX0vT4b' },
  createSale: { amount: '12.50', description: 'Two coffees' },
}
