const core = require('@medusajs/medusa/core-flows')
exports.default = async ({ container }) => {
  const run = async (workflow, input) => (await workflow(container).run({ input })).result
  const [channel] = await run(core.createSalesChannelsWorkflow, { salesChannelsData: [{ name: 'Shop' }] })
  const regions = [
    { name: 'US', currency_code: 'usd', countries: ['us'], payment_providers: ['pp_stablecoin-checkout_main'] },
  ]
  const [region] = await run(core.createRegionsWorkflow, { regions })
  const [product] = await run(core.createProductsWorkflow, {
    products: [
      {
        title: 'Coffee',
        status: 'published',
        options: [{ title: 'Size', values: ['one'] }],
        sales_channels: [{ id: channel.id }],
        variants: [
          {
            title: 'one',
            options: { Size: 'one' },
            manage_inventory: false,
            prices: [{ amount: 19.99, currency_code: 'usd' }],
          },
        ],
      },
    ],
  })
  const [key] = await run(core.createApiKeysWorkflow, {
    api_keys: [{ title: 'store', type: 'publishable', created_by: '' }],
  })
  const [secret] = await run(core.createApiKeysWorkflow, {
    api_keys: [{ title: 'admin', type: 'secret', created_by: 'seed' }],
  })
  await run(core.linkSalesChannelsToApiKeyWorkflow, { id: key.id, add: [channel.id] })
  const seed = { key: key.token, secret: secret.token, region: region.id, variant: product.variants[0].id }
  process.stdout.write(`SEED ${JSON.stringify(seed)}\n`)
}
