const { defineConfig } = require('@medusajs/framework/utils')
const { DATABASE_URL, CHECKOUT_URL, API_KEY, API_SECRET, WEBHOOK_SECRET, BACKEND_URL } = process.env
module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: DATABASE_URL,
    http: { storeCors: '*', adminCors: '*', authCors: '*', jwtSecret: 'test', cookieSecret: 'test' },
  },
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: {
        webhook_delay: 1,
        providers: [
          {
            resolve: './src/modules/stablecoin-checkout',
            id: 'main',
            options: {
              checkoutUrl: CHECKOUT_URL,
              apiKey: API_KEY,
              apiSecret: API_SECRET,
              webhookSecret: WEBHOOK_SECRET,
              backendUrl: BACKEND_URL,
              id: 'main',
            },
          },
        ],
      },
    },
  ],
})
