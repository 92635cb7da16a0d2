import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pairStore } from './harness/pair-store.ts'
import { openStory } from './harness/story.ts'

/** Folder of BTCPay's PHP library (`btcpayserver-greenfield-php`), which is not part of this repository. */
const library = process.env['GREENFIELD_PHP'] ?? ''
const hasLibrary = library !== '' && existsSync(`${library}/src/autoload.php`)
const hasPhp = spawnSync('php', ['-v']).status === 0

const permissions = ['canviewinvoices', 'cancreateinvoice', 'canmodifyinvoices', 'canviewstoresettings']

/** What a plug-in does with the library: every call that WooCommerce's makes for an order, and a forged webhook. */
const script = `<?php
require $argv[1] . '/src/autoload.php';
use BTCPayServer\\Client\\{ApiKey, Invoice, InvoiceCheckoutOptions, Server, Store, StorePaymentMethod, Webhook};
use BTCPayServer\\Util\\PreciseNumber;
[, , $url, $key] = $argv;
$store = (new Store($url, $key))->getStores()[0]->getId();
$webhook = (new Webhook($url, $key))->createWebhook($store, 'http://127.0.0.1:9/hook', ['InvoiceSettled'], null);
$invoices = new Invoice($url, $key);
$options = (new InvoiceCheckoutOptions())->setRedirectURL('https://shop.example/thanks')->setPaymentMethods(['USDC_devnet']);
$made = $invoices->createInvoice($store, 'EUR', PreciseNumber::parseString('20.00'), '1000', null, ['a' => ['b' => 1]], $options);
$read = $invoices->getInvoice($store, $made->getId());
$methods = $invoices->getPaymentMethods($store, $made->getId());
$marked = $invoices->markInvoiceStatus($store, $made->getId(), 'Invalid');
$body = '{"type":"InvoiceSettled"}';
$secret = $webhook->getSecret();
echo json_encode([
  'version' => (new Server($url, $key))->getInfo()->getVersion(),
  'permissions' => (new ApiKey($url, $key))->getCurrent()->getPermissions(),
  'methods' => array_map(fn ($one) => $one->getData()['paymentMethod'], (new StorePaymentMethod($url, $key))->getPaymentMethods($store)),
  'status' => $read->getStatus(), 'metadata' => $read->getData()['metadata'],
  'checkout' => $read->getCheckoutLink(), 'rate' => $methods[0]->getRate(), 'marked' => $marked->getStatus(),
  'signed' => Webhook::isIncomingWebhookRequestValid($body, 'sha256=' . hash_hmac('sha256', $body, $secret), $secret),
  'forged' => Webhook::isIncomingWebhookRequestValid($body, 'sha256=00', $secret),
]);`

const missing = hasPhp ? 'GREENFIELD_PHP does not name the folder of the library' : 'PHP is not installed'

test.skipIf(!hasPhp || !hasLibrary)(
  `BTCPay's PHP library does what plug-ins do (skipped where ${missing})`,
  async () => {
    const rates = { fixed: { asOf: new Date().toISOString(), USDC: { EUR: 0.8 }, USDT: { EUR: 0.8 } } }
    const story = await openStory('stores-php', { settings: { parts: { stores: true }, rates } })
    const asked = [...permissions, 'webhooks.canmodifywebhooks'].map((one) => `btcpay.store.${one}`)
    const key = await pairStore(story, asked)
    const answer = await new Promise<string>((resolve, reject) => {
      const args = ['-d', 'error_reporting=8191', '--', library, `${story.bff.url()}/btcpay`, key]
      const run = execFile('php', args, { timeout: 60_000 }, (error, stdout) =>
        error ? reject(error) : resolve(stdout),
      )
      run.stdin?.end(script)
    })
    const storeId = story.merchant.merchantId
    expect(JSON.parse(answer)).toMatchObject({
      version: '2.3.0',
      permissions: asked.map((one) => `${one}:${storeId}`),
      methods: ['USDC-devnet', 'USDT-devnet', 'USDC-devnetb', 'USDT-devnetb'],
      status: 'New',
      metadata: { a: { b: 1 }, orderId: '1000' },
      checkout: expect.stringContaining('/pay/pl_'),
      rate: '0.8',
      marked: 'Invalid',
      signed: true,
      forged: false,
    })
  },
)
