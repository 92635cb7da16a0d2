// Made by `npm run generate -w bff/clients/node` from the service's OpenAPI document.
export interface paths {
    "/dashboard/tills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The merchant's tills */
        get: operations["listTills"];
        put?: never;
        /**
         * Create a till, and the link that pairs its device
         * @description Its sales are live or test payments, depending on the session's mode.
         */
        post: operations["createTill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/tills/{tillId}/pairing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a new link that pairs a device
         * @description The device that opens it replaces the previous one.
         */
        post: operations["createTillPairing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/tills/{tillId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a till; its device loses access */
        delete: operations["removeTill"];
        options?: never;
        head?: never;
        /** Change a till's name or PIN, or unblock it */
        patch: operations["updateTill"];
        trace?: never;
    };
    "/deposits/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a deposit-address payment */
        post: operations["createDeposit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deposits/status/{paymentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The amounts received at the deposit address and still due */
        get: operations["readDepositStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants/agent-policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The agents' spending policies and what each has spent */
        get: operations["listAgentPolicies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants/agent-policies/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An agent's spending policy and what it has spent
         * @description Requires API key and secret. A live public key always gets `policy: null`.
         */
        get: operations["readAgentPolicy"];
        /** Create or replace an agent's spending policy */
        put: operations["setAgentPolicy"];
        post?: never;
        /** Remove an agent's spending policy */
        delete: operations["removeAgentPolicy"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants/agent-policies/{agentId}/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Decisions about an agent's payments, newest first
         * @description Of each agent the newest 10,000 decisions of the last 90 days are kept.
         */
        get: operations["listAgentDecisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/currency/rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Exchange rates used for conversion */
        get: operations["listRates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deposits/refund-request/{paymentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the address that owed money is sent back to
         * @description The holder of the payment’s client secret may name the address once, with or without a public key; the merchant, with API key and secret, at any time. Otherwise: 403, `code` CLIENT_SECRET_REQUIRED. The service then sends the money, including later transfers. The payment’s `refund` shows the progress.
         */
        post: operations["requestRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/networks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All networks of this service */
        get: operations["listNetworks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/networks/stablecoins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All tokens of all networks */
        get: operations["listTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/networks/payable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Networks that the caller can be paid on now */
        get: operations["listPayableNetworks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/networks/payable/stablecoins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tokens that the caller can be paid in now
         * @description With `price` and `priceCurrency`, each token has the `amount` of that price at the current rate. Tokens without a rate in the currency are left out if others have one.
         */
        get: operations["listPayableTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/networks/{networkId}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tokens of one network */
        get: operations["listNetworkTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The merchant's payment links, newest first */
        get: operations["listLinks"];
        put?: never;
        /**
         * Create a payment link, whose customers choose network and token
         * @description A repeat with the same `Idempotency-Key`, or without a key for the same `orderId` until that link ends, returns the first response.
         */
        post: operations["createLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/links/{linkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One payment link, with how often it was opened and paid */
        get: operations["readLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/links/{linkId}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End a payment link; no further payments are created */
        post: operations["endLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/links/public/{linkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The terms of a payment link, for its holder */
        get: operations["readPublicLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/links/public/{linkId}/stablecoins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tokens that a payment link can be paid in now */
        get: operations["listLinkTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/links/public/{linkId}/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the payment of one customer of a payment link
         * @description The same `Idempotency-Key` returns the same payment.
         */
        post: operations["createLinkPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/till/pair": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pair this device with a link's till */
        post: operations["pairTill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/till": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This device's till */
        get: operations["readTill"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/till/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enter the PIN
         * @description After five wrong PINs, an owner must unblock the till. It locks after ten minutes without use.
         */
        post: operations["openTill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/till/lock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lock the till: the PIN is required again */
        post: operations["lockTill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/till/sales": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This till's sales since a time, newest first, with their totals */
        get: operations["listSales"];
        put?: never;
        /**
         * Create a sale
         * @description A repeat with the same `Idempotency-Key` returns the same sale.
         */
        post: operations["createSale"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/till/sales/{saleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One sale of this till */
        get: operations["readSale"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/till/sales/{saleId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a sale of this till; a payment that has received money continues */
        post: operations["cancelSale"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deposits/chains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Chains on which a deposit address can be paid now */
        get: operations["listDepositChains"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/cross-chain/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Chains that a customer can pay from */
        get: operations["listCrossChainSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which networks can be paid on now, and why not the others */
        get: operations["readPaymentHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/contract/{chainId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Contract address and ABI of a chain */
        get: operations["readContract"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a contract payment, which the customer's wallet pays in one call */
        post: operations["createContractPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/process": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Submit a broadcast transaction for verification on chain; waits for its confirmations */
        post: operations["processPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/solana-pay/{paymentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Solana Pay transaction request: the label and icon of the merchant */
        get: operations["readSolanaPayRequest"];
        put?: never;
        /** Solana Pay transaction request: the transaction that the wallet is to sign and send */
        post: operations["createSolanaPayTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{paymentId}/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay by a signature: the service sends the transaction and pays its gas
         * @description Takes an ERC-3009 authorization of exactly the open amount, to the deposit address or, for a contract payment, to the splitter. For a token without ERC-3009, takes a Permit2 signature of the same amount. Needs no key, only the payment’s id.
         */
        post: operations["authorizePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/cross-chain/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a payment that the customer makes on another chain
         * @description Refusals have a `code`: ORIGIN_NOT_SUPPORTED, ORIGIN_REFUND_NOT_SUPPORTED, NO_DESTINATION, NO_ROUTE, BRIDGE_REFUSED.
         */
        post: operations["createCrossChainPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/cross-chain/status/{paymentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Progress of the bridge, with the transactions on both chains */
        get: operations["readCrossChainStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{paymentId}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The refunds of a payment, and the sum that can still be refunded */
        get: operations["listRefundsOfPayment"];
        put?: never;
        /**
         * Refund a paid payment, in whole or in part, from your own wallet
         * @description The service holds no money of a paid payment: the refund is a payment in the other direction. The customer names an address on the page of `pageUrl`, or `address` names it. Pay it from a wallet of yours, by `call` or `paymentUri`; the service verifies it like every payment. All refunds of a payment never exceed what you received. A repeat with the same `Idempotency-Key` returns the first refund.
         */
        post: operations["requestMerchantRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The refunds that the merchant's wallet pays, newest first */
        get: operations["listMerchantRefunds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refunds/public/{refundId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A refund as its customer reads it, for anybody who knows its id */
        get: operations["readPublicMerchantRefund"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refunds/{refundId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One refund, with its transactions */
        get: operations["readMerchantRefund"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refunds/{refundId}/address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Name the customer's address of a refund, once
         * @description By the customer, with the `clientSecret` in the fragment of `pageUrl`, or by the merchant. An address that is named cannot be changed: cancel the refund and make another.
         */
        post: operations["nameMerchantRefundAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refunds/{refundId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a refund of which nothing was seen on chain */
        post: operations["cancelMerchantRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refunds/{refundId}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Name the transaction that pays a refund
         * @description Needed only where another wallet than the settlement wallet (or, with `ownAddressesPay`, an address of it) paid by a plain transfer, such as an exchange: other transactions are found automatically. The response does not wait for confirmations.
         */
        post: operations["verifyMerchantRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refunds/prompts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record that a wallet is asked to pay refunds, and get the call that it sends
         * @description Call it before the wallet is asked: while the prompt may still pay, no other wallet is asked for the same refund, whichever page or person pays it. Report what the wallet answered with `reportRefundPrompt`. A prompt ends by itself when it has paid, or when the chain proves that it can no longer pay.
         */
        post: operations["promptRefundWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refunds/prompts/{promptId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report what the wallet answered: its transaction, its batch, or that it rejected the prompt or gave up the batch
         * @description Only the session, or the key, that called `promptRefundWallet` knows it; for all others there is no such prompt.
         */
        post: operations["reportRefundPrompt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refunds/prompts/{promptId}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release a prompt whose wallet sent nothing: the refunds can be paid again
         * @description If the wallet sends after all, the customer gets the money twice, unless the splitter pays it.
         */
        post: operations["releaseRefundPrompt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record that a payment failed; no money moves
         * @description API key and secret end any payment of the merchant that is not paid in full; a partial payment is then refunded. A public key ends payments made with a public key; a client secret ends its own payment. Both only while nothing was sent. Otherwise nothing changes: `skipped` is true, and `message` explains why.
         */
        post: operations["failPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{paymentId}/accept-late": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept the full late amount; the payment becomes paid
         * @description Requires API key and secret. Money that arrived after the window, or after the payment was ended, is forwarded like any other payment. The excess is still refunded. Repeating the call changes nothing.
         */
        post: operations["acceptLatePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants/key-origins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The origins that the live public key is accepted from */
        get: operations["readKeyOrigins"];
        /**
         * Replace the origins that the live public key is accepted from
         * @description It takes effect within a second.
         */
        put: operations["setKeyOrigins"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/merchant/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The merchant's payments, newest first
         * @description For API key and secret. A public key gets the same answer without payments and with zeros; where the merchant setting `publicReports` is on, with the turnover, and still nothing that names a payment, an order or a customer.
         */
        get: operations["listMerchantPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/merchant/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts and sums of the merchant's payments
         * @description For API key and secret. A public key gets the same answer without payments and with zeros; where the merchant setting `publicReports` is on, with the turnover, and still nothing that names a payment, an order or a customer.
         */
        get: operations["readMerchantStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * State of the service: networks, nodes, queues, replicas and backup
         * @description For whoever hosts the service: where it has several merchants, the command line alone shows it.
         */
        get: operations["readSystem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/system/doctor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run `stablecoin-checkout doctor` and return its findings
         * @description Same as the command with `--no-webhooks`. May take a minute; a result is cached for 30 seconds.
         */
        post: operations["runDoctor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/system/contracts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deploy the missing contracts of a network; the operator’s account pays the gas
         * @description Same as the command `deploy <network> --as-operator`. Safe to repeat, also while it is under way.
         */
        post: operations["deployContracts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/system/payouts/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the waiting payouts of a network now
         * @description The usual checks apply: nothing is sent twice, or to another address. Safe to repeat.
         */
        post: operations["retryPayouts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sums of payments by day, network and token
         * @description By day of creation. The cost does not depend on the number of payments.
         */
        get: operations["readSummaryReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Open actions: payments, endpoints, gas and networks */
        get: operations["readAttentionReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/month": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sums of one month for bookkeeping, by day, network and token
         * @description By the day on which a payment was created: exactly the sums of the rows that `stablecoin-checkout export` writes for the same payments. The first report of a month reads all its payments; later ones only the quarter hours in which a payment has changed.
         */
        get: operations["readMonthReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/month.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The same as CSV (RFC 4180), in whole tokens
         * @description By the day on which a payment was created: exactly the sums of the rows that `stablecoin-checkout export` writes for the same payments. The first report of a month reads all its payments; later ones only the quarter hours in which a payment has changed.
         */
        get: operations["exportMonthReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The merchant's newest API calls that were refused, newest first
         * @description At most 100, of all replicas; refusals of other replicas appear within two seconds. Request contents are not stored.
         */
        get: operations["listRefusedCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/payments/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a test payment, which moves no money */
        post: operations["createSandboxPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/payments/{paymentId}/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Simulate an event of a sandbox payment */
        post: operations["simulatePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The merchant's webhook endpoints and their state */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /** Create a webhook endpoint; the response shows its secret once */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints/{endpointId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One webhook endpoint */
        get: operations["readWebhookEndpoint"];
        put?: never;
        post?: never;
        /** Remove a webhook endpoint; pending deliveries are discarded */
        delete: operations["removeWebhookEndpoint"];
        options?: never;
        head?: never;
        /** Change the URL, the event types or the state of a webhook endpoint */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/webhooks/endpoints/{endpointId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace an endpoint's secret; both sign for a day */
        post: operations["rotateEndpointSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace the secret that signs callbackUrl deliveries; both sign for a day */
        post: operations["rotateCallbackSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Deliveries with their receivers and results, newest first */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/deliveries/{deliveryId}/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The request of a delivery: headers, body, and the signature of each attempt */
        get: operations["readDeliveryRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a delivery again, with the same webhook-id */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resend all events since a time, at most 500 deliveries per call */
        post: operations["replayWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints/{endpointId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test event to an endpoint */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The feed of all events, oldest first, for clients that cannot receive webhooks */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{paymentId}/receipt-mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the receipt of a paid payment to an e-mail address, once
         * @description For the holder of the client secret, or the merchant with API key and secret. Offered where the service has the setting `mail`. The address is deleted when the mail was sent, or after a day of failed attempts. A repeat with the same address changes nothing.
         */
        post: operations["mailReceipt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{paymentId}/customer-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The link of the payment's page with its client secret, for the customer
         * @description Whoever has the link can name the address of a refund.
         */
        post: operations["showPaymentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refunds/{refundId}/customer-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The link of the refund's page with its client secret, for the customer
         * @description Whoever has the link can name the address of the refund.
         */
        post: operations["showRefundLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{paymentId}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The status of a payment */
        get: operations["readPaymentStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/status/{paymentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The status of a payment */
        get: operations["readStatusOfPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/public/{paymentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The public view of a payment, for anybody who knows its id */
        get: operations["readPublicPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{paymentId}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A payment's receipt: its number, its page, and the order
         * @description The page `/pay/{paymentId}/receipt` shows the public view to anybody who knows the id, and the order to whoever has the client secret, by this operation.
         */
        post: operations["readReceipt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/public/{paymentId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same as a stream of events, one for each change */
        get: operations["followPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How many payments there are of each kind, up to 100
         * @description `paid` counts the list of `status=paid`, the others the list of their `kind`. The cost does not depend on the number of payments.
         */
        get: operations["countPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Payments by filters, newest first
         * @description The cost does not depend on the number of payments. `search` matches the beginning of an order id or an e-mail address, or a whole payment id, address (paid to or from) or transaction id in either direction. Results are newest first and paged like every list.
         */
        get: operations["searchPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A stream that says when the list of payments has changed */
        get: operations["followPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{paymentId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The history of a payment, oldest first
         * @description Transfers, events, attempts of webhooks, our transactions and refund requests; of each kind the newest five hundred.
         */
        get: operations["readPaymentHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{paymentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One payment of the merchant, with every field
         * @description For API key and secret with `clientSecret` and the link of its page. With a public key, the fields of `/payments/public/{paymentId}`, and nothing that was attached to the payment.
         */
        get: operations["readPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/verify-qr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whether the payment of a scanned code is paid */
        post: operations["verifyQrCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deposits/balance/{paymentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The amount detected so far */
        get: operations["readDepositBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x402/supported": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What this service settles as an x402 facilitator */
        get: operations["listX402Kinds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x402/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check an x402 proof without settling it */
        post: operations["verifyX402Payment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x402/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settle an x402 proof for another server of yours
         * @description `payTo` must be the deposit address of a payment of yours. `success` is true when the payment is paid, and once: a repeat is `duplicate_settlement`. `settlement_pending` asks you to call again with the same proof.
         */
        post: operations["settleX402Payment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x402/charge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Charge for one request to a server of the merchant's, by x402
         * @description Pass this response to your client, headers included, unless its status is 200: then the request is paid, once. A proof pays one request for the same resource at the same price.
         */
        post: operations["createX402Charge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/x402/{paymentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Pay by x402 (version 2, scheme `exact`)
         * @description Without the header PAYMENT-SIGNATURE a 402 says what must be paid; with it, the proof is settled and answered when the payment is paid. Needs no key.
         */
        get: operations["payByX402"];
        put?: never;
        /**
         * Pay by x402 (version 2, scheme `exact`)
         * @description Without the header PAYMENT-SIGNATURE a 402 says what must be paid; with it, the proof is settled and answered when the payment is paid. Needs no key.
         */
        post: operations["postX402Payment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process is alive */
        get: operations["readHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether this process accepts requests */
        get: operations["readReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The versions of this API */
        get: operations["listVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "payment.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The payment was made; nothing has arrived. */
        post: operations["onPaymentCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.detected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Money is in a block, with too few confirmations yet. */
        post: operations["onPaymentDetected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.underpaid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Less than the amount arrived; the payment stays open, and completes when the difference arrives. */
        post: operations["onPaymentUnderpaid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Paid: ship. */
        post: operations["onPaymentCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.overpaid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** More than the amount arrived, or the rest after the payout of a payment accepted short; the excess is owed back. */
        post: operations["onPaymentOverpaid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.late": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Money arrived after the window, or after the payment was ended by hand; it is owed back, unless `outcome` is `paid`. */
        post: operations["onPaymentLate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.reorged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A reorg undid a transfer. Read `outcome`: the payment may have been paid before. */
        post: operations["onPaymentReorged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The window ended without the full amount. */
        post: operations["onPaymentExpired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ended by hand, as cancelled. */
        post: operations["onPaymentCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ended by hand, as failed. */
        post: operations["onPaymentFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deposit.swept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The money is in the merchant's wallet. */
        post: operations["onDepositSwept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deposit.sweep_failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The payout keeps failing and is retried hourly. The payment stays paid. */
        post: operations["onDepositSweepFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deposit.refunded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Money that was owed back was sent back: `refund` says how much, where to and by which transaction. */
        post: operations["onDepositRefunded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deposit.unmatched_received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The deposit address holds money that does not belong to the payment: another token, the chain's own coin, or on another network. `unmatched` lists it; it can be returned. */
        post: operations["onDepositUnmatchedReceived"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deposit.unmatched_refunded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An unmatched transfer was returned. */
        post: operations["onDepositUnmatchedRefunded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bridge.moved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The relay of a cross-chain payment reported progress in `bridgeStatus` and its transactions. This is not proof of payment; read `outcome`. */
        post: operations["onBridgeMoved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.requested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A refund was asked for that your own wallet pays: `merchantRefund`. Send its page to the customer, or pay it. */
        post: operations["onRefundRequested"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The whole refund `merchantRefund` is confirmed on chain, also when it was cancelled before (`cancelledAt`). Again, with `excess`, when more than its amount was paid. */
        post: operations["onRefundPaid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A refund will not be paid: it was cancelled; again, with `paid`, when your wallet paid a part of it afterwards. Or a reorg undid one that was paid; then its `status` is `to_pay` again. */
        post: operations["onRefundFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Test event of `POST /webhooks/endpoints/{id}/test`. Belongs to no payment. */
        post: operations["onWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Payment: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            paymentId: string;
            /** @enum {string} */
            status: "pending" | "completed" | "sweeping" | "swept" | "sweep_failed" | "expired" | "cancelled" | "failed";
            /** @enum {string} */
            outcome: "pending" | "paid" | "failed";
            isFinal: boolean;
            /** @enum {string} */
            paymentState: "awaiting" | "underpaid" | "completed" | "overpaid_refunding" | "expired_refunding";
            settlement: {
                /** @enum {string} */
                state: "" | "pending" | "settling" | "delayed" | "settled" | "failed";
                message: string;
            };
            /** @example 25.00 */
            amount: string;
            /** @example 25.00 */
            amountReceived: string | null;
            currency: string;
            network: string;
            transactionHash: string | null;
            depositTxHash: string | null;
            sweepTxHash: string | null;
            confirmations: number;
            requiredConfirmations: number;
            /** Format: date-time */
            detectedAt: string | null;
            /** Format: date-time */
            confirmedAt: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            bridgeStatus: string | null;
            isTest: boolean;
            sandbox: boolean;
            /** @example 25.00 */
            amountDetected: string | null;
            /** @example 25.00 */
            amountRemaining: string | null;
            /** @example 25.00 */
            excessOwed: string | null;
            refund: components["schemas"]["PaymentRefund"] | null;
            /** @description Money at the deposit address that was not asked for: another token, the chain's coin, another network. */
            unmatched: components["schemas"]["UnmatchedTransfer"][];
            depositAddress: string | null;
            depositMethod: string;
            /** Format: date-time */
            sweptAt: string | null;
            isExpired: boolean;
            /** @example 25.00 */
            totalAmount?: string;
            /** @example 25.00 */
            feeAmount?: string;
            /** @description Null on Solana: the token program itself pays. */
            contractAddress?: string | null;
            splitterPaymentId?: string;
            merchantWallet?: string;
            platformWallet?: string;
            merchantPercentage?: number;
            platformPercentage?: number;
            chainId?: number | null;
            tokenAddress?: string;
            tokenDecimals?: number;
            /** @description Where the customer sends to, on the origin chain. */
            relayDepositAddress?: string;
            /**
             * @description In the origin token's smallest unit: exactly this much.
             * @example 25100000
             */
            amountToSend?: string;
            /** @example 25.10 */
            amountToSendFormatted?: string;
            originChainId?: number;
            originCurrency?: string;
            /** @description What the merchant receives, and where. */
            destination?: {
                network: string;
                currency: string;
                amount: string;
                address: string;
            };
            /** @description The progress in words, for the customer. */
            bridgeMessage?: string;
            /** @description The relay's reason for returning the money. */
            bridgeReason?: string | null;
            originTxHash?: string | null;
            destinationTxHash?: string | null;
            /** @description On the origin chain. */
            bridgeRefundTxHash?: string | null;
            Origin?: {
                name: string;
                chainId: number;
                explorerUrl: string | null;
                tokenAddress: string;
                decimals: number;
            };
            contractCall?: components["schemas"]["ContractCall"];
            /** @description In `priceCurrency`, as the create named it. */
            price: string | null;
            priceCurrency: string | null;
            /** @description Units of `priceCurrency` for one whole token, exact. */
            rate: string | null;
            /**
             * Format: date-time
             * @description The time of the rate.
             */
            rateAt: string | null;
            /** @description Where the customer returns once the payment has ended: the URL of the create, with `paymentId`. */
            returnUrl: string | null;
            paymentMode: string;
            /** Format: date-time */
            createdAt: string | null;
            /** @description For `eth_signTypedData_v4`: signed by a customer without coins, and sent to `/payments/{id}/authorize`. `from` is the payer; a `nonce` of null is 32 random bytes. A `PermitWitnessTransferFrom` is of Permit2, which the payer has approved once, and goes as `permit2Authorization`. Absent: not offered. */
            authorization?: {
                typedData: components["schemas"]["PaymentTypedData"];
            };
            /**
             * @description On Solana: a wallet may ask `/payments/solana-pay/{id}` with `feePayer: "service"` for a transaction whose fee the service pays, sign it, and bring it to `/payments/{id}/authorize`.
             * @enum {boolean}
             */
            sponsored?: true;
            explorer: {
                address: string | null;
                transaction: string | null;
            };
            paymentUri: string | null;
            Token: components["schemas"]["PaymentToken"];
            Network: components["schemas"]["PaymentNetwork"];
            Merchant: {
                businessName: string;
            };
            qr?: {
                address: components["schemas"]["QrCode"];
                uri: components["schemas"]["QrCode"] | null;
            };
            orderId: string | null;
            customerEmail: string | null;
            callbackUrl: string | null;
            metadata: {
                [key: string]: string | number | boolean | null;
            };
            /** @description The payment link that a customer made it by. */
            linkId: string | null;
            agentId: string | null;
            agentOwner: string | null;
            /** @description The `reason` of `/payments/fail`, in the words of who ended the payment. */
            failureReason: string | null;
            /**
             * @description Refunded from your own wallet and confirmed: see `/refunds`.
             * @example 25.00
             */
            refundedByMerchant?: string;
            /**
             * @description Refunds that your own wallet has still to pay.
             * @example 25.00
             */
            refundDueByMerchant?: string;
            /** @description Whether `/payments/{paymentId}/accept-late` makes it paid: enough money came too late and is not being refunded. */
            canAcceptLate?: boolean;
            sequence: number;
        };
        PaymentRefund: {
            /** @enum {string} */
            state: "address_needed" | "waiting" | "sending" | "delayed" | "failed" | "held" | "refunded";
            message: string;
            address: string | null;
            /** @example 25.00 */
            amount: string;
            /** @example 25.00 */
            amountRefunded: string;
            txHash: string | null;
        };
        UnmatchedTransfer: {
            network: string;
            networkName: string;
            currency: string;
            /** @description Null: the chain's own coin. */
            tokenAddress: string | null;
            /**
             * @description The amount that is there and was not returned.
             * @example 25.00
             */
            amount: string;
            /** @example 25.00 */
            amountRefunded: string;
            transactionHash: string | null;
            refund: {
                /** @enum {string} */
                state: "address_needed" | "sending" | "delayed" | "failed" | "too_small" | "refunded";
                message: string;
                address: string | null;
                txHash: string | null;
            };
        };
        ContractCall: {
            contractAddress: string;
            functionName: string;
            tokenAddress: string;
            /**
             * @description Base units of the token, decimal.
             * @example 25000000
             */
            approvalAmount: string;
            approvalRequired: boolean;
            params: {
                token: string;
                /**
                 * @description Base units of the token, decimal.
                 * @example 25000000
                 */
                amount: string;
                paymentId: string;
                recipient1: string;
                recipient2: string;
                recipient3: string;
                recipient1Percentage: number;
                recipient2Percentage: number;
                recipient3Percentage: number;
            };
            chainId: number;
            abi: {
                [key: string]: unknown;
            }[];
            data: string;
            /** @enum {string} */
            value: "0x0";
            before: {
                functionName: string;
                params: {
                    token: string;
                    /**
                     * @description Base units of the token, decimal.
                     * @example 25000000
                     */
                    amount: string;
                    paymentId: string;
                    recipient1: string;
                    recipient2: string;
                    recipient3: string;
                    recipient1Percentage: number;
                    recipient2Percentage: number;
                    recipient3Percentage: number;
                };
                /** @description Unix seconds, decimal. */
                deadline: string;
                data: string;
            };
            permit?: {
                functionName: string;
                /** @description Unix seconds, decimal. */
                deadline: string;
                data: string;
                signatureOffset: number;
                /** @description For eth_signTypedData_v4, once the fields of `message` that are null are filled in. */
                typedData: {
                    primaryType: string;
                    domain: {
                        [key: string]: unknown;
                    };
                    types: {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                };
            };
            authorization?: {
                functionName: string;
                /** @description Unix seconds, decimal. */
                deadline: string;
                data: string;
                payerOffset: number;
                signatureOffset: number;
                /** @description For eth_signTypedData_v4, once the fields of `message` that are null are filled in. */
                typedData: {
                    primaryType: string;
                    domain: {
                        [key: string]: unknown;
                    };
                    types: {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                };
            };
            approval: {
                to: string;
                data: string;
                resetData: string;
                requiresReset: boolean;
            };
            chain: {
                chainId: number;
                name: string;
                rpcUrls: string[];
                nativeCurrency: {
                    name: string;
                    symbol: string;
                    decimals: number;
                };
                explorerUrl: string | null;
            };
        };
        PaymentTypedData: {
            types: {
                [key: string]: {
                    name: string;
                    type: string;
                }[];
            };
            primaryType: string;
            domain: {
                name: string;
                version?: string;
                chainId: number;
                verifyingContract: string;
            };
            message: {
                [key: string]: string | {
                    [key: string]: string;
                } | null;
            };
        };
        PaymentToken: {
            /** Format: uuid */
            id: string;
            symbol: string;
            name: string;
            contractAddress: string;
            decimals: number;
            /**
             * Format: uri
             * @example https://pay.example.com/logos/networks/base.svg
             */
            logo: string | null;
            isStablecoin: boolean;
        };
        PaymentNetwork: {
            /** Format: uuid */
            id: string;
            name: string;
            shortName: string;
            chainId: number | null;
            type: string | null;
            isTestnet: boolean;
            explorerUrl: string | null;
            /** @description Public nodes, for wallets that lack the network. */
            rpcUrls: string[];
            /** @description False where network fees are paid in the token that is sent, such as on Tempo: nobody needs a coin. */
            hasCoin: boolean;
            /**
             * Format: uri
             * @example https://pay.example.com/logos/networks/base.svg
             */
            logo: string | null;
        };
        QrCode: {
            size: number;
            modules: string;
        };
        MerchantRefundOfEvent: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            paymentId: string;
            /** @enum {string} */
            status: "awaiting_address" | "to_pay" | "confirming" | "paid" | "cancelled";
            network: string;
            currency: string;
            /** @example 25.00 */
            amount: string;
            price: string | null;
            priceCurrency: string | null;
            /** @description Units of `priceCurrency` for one whole token. */
            rate: string | null;
            /** @enum {string|null} */
            rateOf: "then" | "now" | null;
            reason: string | null;
            /** @description The customer's address; null: nobody has named it. */
            address: string | null;
            /**
             * @description Confirmed.
             * @example 25.00
             */
            paid: string;
            /**
             * @description Still to be paid, counting what is confirming.
             * @example 25.00
             */
            remaining: string;
            /**
             * @description Paid beyond the amount, such as by paying twice.
             * @example 25.00
             */
            excess: string;
            /** @description Of the newest transfer. */
            transactionHash: string | null;
            isTest: boolean;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When `address` was named. Null: nobody has named it.
             */
            addressNamedAt: string | null;
            /** Format: date-time */
            paidAt: string | null;
            /** Format: date-time */
            cancelledAt: string | null;
        };
        WebAuthnOptions: {
            [key: string]: unknown;
        };
        Error: {
            /** @enum {boolean} */
            success: false;
            error: string;
            message: string;
            /** @description For programs; new ones may be added. `docs/errors.md` says what to do for each. */
            code: string;
        };
        DashboardSession: {
            person: {
                id: string;
                name: string;
            };
            /** @enum {string} */
            role: "owner" | "staff" | "viewer";
            merchant: {
                id: string;
                name: string;
                /**
                 * @description Path of the image; null for none.
                 * @example /logos/merchants/3f9a0c5d1e7b4a62.png
                 */
                logo: string | null;
                /**
                 * @description The shop's default currency, as ISO 4217 code; null: not chosen.
                 * @example EUR
                 */
                currency: string | null;
            };
            /** Format: date-time */
            endsAt: string;
            operations: string[];
            hasPasskey: boolean;
        };
        DashboardPasskey: {
            id: string;
            name: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt: string | null;
        };
        DashboardPerson: {
            id: string;
            name: string;
            /** @enum {string} */
            role: "owner" | "staff" | "viewer";
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the person last signed in, or created or used a passkey; null if never.
             */
            seenAt: string | null;
            isYou: boolean;
        };
        DashboardListedSession: {
            id: string;
            person: {
                id: string;
                name: string;
            };
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            endsAt: string;
            address: string;
            browser: string;
            isThis: boolean;
        };
        DashboardInvitation: {
            id: string;
            name: string;
            /** @enum {string} */
            role: "owner" | "staff" | "viewer";
            /** @description It signs in without a passkey, on test networks. */
            isDemo: boolean;
            /** @description It replaces the lost passkey of a person. */
            replacesPasskey: boolean;
            /** @description The name of the person, or `command line`. */
            invitedBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            endsAt: string;
        };
        DashboardKey: {
            key: string;
            /** @enum {string} */
            kind: "public" | "test" | "api";
            /** @enum {string} */
            scope: "merchant" | "agent";
            agentId: string | null;
            name: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Rounded to the hour; null if never used.
             */
            lastUsedAt: string | null;
            /** Format: date-time */
            endsAt: string | null;
            isGood: boolean;
        };
        DashboardSettings: {
            /** @description The name that customers see. */
            name: string;
            /**
             * @description Basis points, and at most this amount.
             * @example 100,1.50
             */
            tolerance: string;
            /** @enum {string} */
            latePayments: "report" | "accept";
            publicReports: boolean;
            /**
             * @description Basis points, least, most; or `off`.
             * @example 100,0.02,1
             */
            signatureGas: string;
            /**
             * @description The default currency of the dashboard, new tills and links, as ISO 4217 code. No payment depends on it. Null: not chosen.
             * @example EUR
             */
            currency: string | null;
            /**
             * @description Color of buttons and links on hosted pages.
             * @example #2b50c8
             */
            color: string | null;
            /** @description Path of the image at this service. */
            logo: string | null;
            termsUrl: string | null;
            privacyUrl: string | null;
            imprintUrl: string | null;
            supportUrl: string | null;
        };
        AuditEntry: {
            number: number;
            /** Format: date-time */
            at: string;
            person: {
                id: string | null;
                name: string;
            };
            /** @example wallet.changed */
            action: string;
            subject: string;
            before: string | null;
            after: string | null;
            /**
             * @description `unknown`: the service failed or stopped before it responded. Check the change itself.
             * @enum {string}
             */
            outcome: "done" | "unchanged" | "refused" | "unknown";
            /** @description The `code` of the error response. */
            refusal: string | null;
            address: string;
        };
        Till: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description Whether its sales are test payments. */
            isTest: boolean;
            priceCurrency: string | null;
            network: string | null;
            currency: string | null;
            isPaired: boolean;
            /** @description Whether too many wrong PINs were entered. */
            isBlocked: boolean;
            /** @description The paired device's browser. */
            browser: string | null;
            /** Format: date-time */
            lastUsedAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        CreateTill: {
            name: string;
            /** @example 204816 */
            pin: string;
            /**
             * @description Currency of entered amounts; null: tokens.
             * @example EUR
             */
            priceCurrency?: string | null;
            /** @description Null: the customer chooses. */
            network?: string | null;
            /**
             * @description Null: the customer chooses.
             * @example USDC
             */
            currency?: string | null;
        };
        ChangeTill: {
            name?: string;
            /** @example 204816 */
            pin?: string;
            /**
             * @description Unblocks the till after too many wrong PINs.
             * @enum {boolean}
             */
            unblock?: true;
        };
        CreatedPayment: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            paymentId: string;
            /** @enum {string} */
            status: "pending" | "completed" | "sweeping" | "swept" | "sweep_failed" | "expired" | "cancelled" | "failed";
            /** @enum {string} */
            outcome: "pending" | "paid" | "failed";
            isFinal: boolean;
            /** @enum {string} */
            paymentState: "awaiting" | "underpaid" | "completed" | "overpaid_refunding" | "expired_refunding";
            settlement: {
                /** @enum {string} */
                state: "" | "pending" | "settling" | "delayed" | "settled" | "failed";
                message: string;
            };
            /** @example 25.00 */
            amount: string;
            /** @example 25.00 */
            amountReceived: string | null;
            currency: string;
            network: string;
            transactionHash: string | null;
            depositTxHash: string | null;
            sweepTxHash: string | null;
            confirmations: number;
            requiredConfirmations: number;
            /** Format: date-time */
            detectedAt: string | null;
            /** Format: date-time */
            confirmedAt: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            bridgeStatus: string | null;
            isTest: boolean;
            sandbox: boolean;
            /** @example 25.00 */
            amountDetected: string | null;
            /** @example 25.00 */
            amountRemaining: string | null;
            /** @example 25.00 */
            excessOwed: string | null;
            refund: components["schemas"]["PaymentRefund"] | null;
            /** @description Money at the deposit address that was not asked for: another token, the chain's coin, another network. */
            unmatched: components["schemas"]["UnmatchedTransfer"][];
            depositAddress: string | null;
            depositMethod: string;
            /** Format: date-time */
            sweptAt: string | null;
            isExpired: boolean;
            /** @example 25.00 */
            totalAmount?: string;
            /** @example 25.00 */
            feeAmount?: string;
            /** @description Null on Solana: the token program itself pays. */
            contractAddress?: string | null;
            splitterPaymentId?: string;
            merchantWallet?: string;
            platformWallet?: string;
            merchantPercentage?: number;
            platformPercentage?: number;
            chainId?: number | null;
            tokenAddress?: string;
            tokenDecimals?: number;
            /** @description Where the customer sends to, on the origin chain. */
            relayDepositAddress?: string;
            /**
             * @description In the origin token's smallest unit: exactly this much.
             * @example 25100000
             */
            amountToSend?: string;
            /** @example 25.10 */
            amountToSendFormatted?: string;
            originChainId?: number;
            originCurrency?: string;
            /** @description What the merchant receives, and where. */
            destination?: {
                network: string;
                currency: string;
                amount: string;
                address: string;
            };
            /** @description The progress in words, for the customer. */
            bridgeMessage?: string;
            /** @description The relay's reason for returning the money. */
            bridgeReason?: string | null;
            originTxHash?: string | null;
            destinationTxHash?: string | null;
            /** @description On the origin chain. */
            bridgeRefundTxHash?: string | null;
            Origin?: {
                name: string;
                chainId: number;
                explorerUrl: string | null;
                tokenAddress: string;
                decimals: number;
            };
            contractCall?: components["schemas"]["ContractCall"];
            /** @description In `priceCurrency`, as the create named it. */
            price: string | null;
            priceCurrency: string | null;
            /** @description Units of `priceCurrency` for one whole token, exact. */
            rate: string | null;
            /**
             * Format: date-time
             * @description The time of the rate.
             */
            rateAt: string | null;
            /** @description Where the customer returns once the payment has ended: the URL of the create, with `paymentId`. */
            returnUrl: string | null;
            paymentMode: string;
            /** Format: date-time */
            createdAt: string | null;
            /** @description For `eth_signTypedData_v4`: signed by a customer without coins, and sent to `/payments/{id}/authorize`. `from` is the payer; a `nonce` of null is 32 random bytes. A `PermitWitnessTransferFrom` is of Permit2, which the payer has approved once, and goes as `permit2Authorization`. Absent: not offered. */
            authorization?: {
                typedData: components["schemas"]["PaymentTypedData"];
            };
            /**
             * @description On Solana: a wallet may ask `/payments/solana-pay/{id}` with `feePayer: "service"` for a transaction whose fee the service pays, sign it, and bring it to `/payments/{id}/authorize`.
             * @enum {boolean}
             */
            sponsored?: true;
            explorer: {
                address: string | null;
                transaction: string | null;
            };
            paymentUri: string | null;
            Token: components["schemas"]["PaymentToken"];
            Network: components["schemas"]["PaymentNetwork"];
            Merchant: {
                businessName: string;
            };
            qr?: {
                address: components["schemas"]["QrCode"];
                uri: components["schemas"]["QrCode"] | null;
            };
            /**
             * @description Absent only where a public key repeats a create by its order id or its body, which can be guessed.
             * @example cs_J0Xl7cB0Qb8l4mPzJb1cV0Yk4c1m2H3xQW8pP6s9a2E
             */
            clientSecret?: string;
        };
        CreateDeposit: {
            /**
             * @description In whole tokens, exact: at most the decimals of the token. Required, unless `price` is there.
             * @example 25.00
             */
            amount?: number | string;
            /** @description In `priceCurrency`, in place of `amount`: converted at the current rate and rounded up to a cent of the token. Without a fresh rate the create is refused with `NO_RATE`. */
            price?: number | string;
            /** @description ISO 4217 code of the currency of `price`, such as `EUR`. */
            priceCurrency?: string;
            /**
             * @description Symbol of a token that the network has, such as USDC or USDT.
             * @example USDC
             */
            currency: string;
            network: string;
            customerEmail?: string;
            /** Format: uri */
            callbackUrl?: string;
            /**
             * Format: uri
             * @description Where the payment page and the element send the customer once the payment has ended, with `paymentId` in the query.
             * @example https://shop.example/orders/1042
             */
            returnUrl?: string;
            orderId?: string;
            metadata?: {
                [key: string]: string | number | boolean | null;
            };
            /** @description Ignored: the window is 900 seconds. */
            expiresIn?: number;
            agentId?: string;
            agentOwner?: string;
            autonomous?: boolean;
            /** Format: uuid */
            existingPaymentId?: string;
        };
        DepositStatus: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            paymentId: string;
            /** @enum {string} */
            status: "pending" | "completed" | "sweeping" | "swept" | "sweep_failed" | "expired" | "cancelled" | "failed";
            /** @enum {string} */
            outcome: "pending" | "paid" | "failed";
            isFinal: boolean;
            /** @enum {string} */
            paymentState: "awaiting" | "underpaid" | "completed" | "overpaid_refunding" | "expired_refunding";
            settlement: {
                /** @enum {string} */
                state: "" | "pending" | "settling" | "delayed" | "settled" | "failed";
                message: string;
            };
            /** @example 25.00 */
            amount: string;
            /** @example 25.00 */
            amountReceived: string | null;
            currency: string;
            network: string;
            transactionHash: string | null;
            depositTxHash: string | null;
            sweepTxHash: string | null;
            confirmations: number;
            requiredConfirmations: number;
            /** Format: date-time */
            detectedAt: string | null;
            /** Format: date-time */
            confirmedAt: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            bridgeStatus: string | null;
            isTest: boolean;
            sandbox: boolean;
            /** @example 25.00 */
            amountDetected: string | null;
            /** @example 25.00 */
            amountRemaining: string | null;
            /** @example 25.00 */
            excessOwed: string | null;
            refund: components["schemas"]["PaymentRefund"] | null;
            /** @description Money at the deposit address that was not asked for: another token, the chain's coin, another network. */
            unmatched: components["schemas"]["UnmatchedTransfer"][];
            depositAddress: string | null;
            depositMethod: string;
            /** Format: date-time */
            sweptAt: string | null;
            isExpired: boolean;
        };
        AgentPolicy: {
            agentId: string;
            /** @example 250.00 */
            maxPerTransaction: string | null;
            /** @example 250.00 */
            dailyBudget: string | null;
            /** @example 250.00 */
            monthlyBudget: string | null;
            allowedNetworks: string[] | null;
            allowedCurrencies: string[] | null;
            autonomousAllowed: boolean;
            /** Format: date-time */
            expiresAt: string | null;
            spentToday: string;
            spentThisMonth: string;
            isTest: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description The whole policy. An omitted limit is unlimited; autonomous payments must be allowed explicitly. */
        AgentPolicyTerms: {
            /**
             * @description Dollars, as decimal text; null is no limit. A token of another currency counts at the rate of the creation of the payment, and is refused without one.
             * @example 250.00
             */
            maxPerTransaction?: string | null;
            /**
             * @description Dollars, as decimal text; null is no limit. A token of another currency counts at the rate of the creation of the payment, and is refused without one.
             * @example 250.00
             */
            dailyBudget?: string | null;
            /**
             * @description Dollars, as decimal text; null is no limit. A token of another currency counts at the rate of the creation of the payment, and is refused without one.
             * @example 250.00
             */
            monthlyBudget?: string | null;
            allowedNetworks?: string[] | null;
            allowedCurrencies?: string[] | null;
            autonomousAllowed?: boolean;
            /** Format: date-time */
            expiresAt?: string | null;
        };
        AgentDecision: {
            sequence: number;
            /** Format: date-time */
            decidedAt: string;
            /**
             * @description A payment was created for the agent, or the agent paid it through x402.
             * @enum {string}
             */
            action: "create" | "pay";
            isAllowed: boolean;
            /**
             * @description The rule that refused, or `within_policy` or `no_policy`.
             * @enum {string}
             */
            rule: "no_policy" | "within_policy" | "expired" | "autonomous" | "network" | "currency" | "per_transaction" | "daily_budget" | "monthly_budget";
            /** @example 25.00 */
            amount: string;
            currency: string;
            network: string;
            /**
             * Format: uuid
             * @description Null for a refused payment.
             */
            paymentId: string | null;
        };
        CurrencyRates: {
            /** @enum {boolean} */
            success: true;
            /** @description Units of a currency for one whole stablecoin, by token symbol and ISO 4217 code. */
            rates: {
                [key: string]: {
                    [key: string]: number;
                };
            };
            /**
             * Format: date-time
             * @description The time of the rate.
             */
            timestamp: string;
            provider: string;
        };
        RequestRefund: {
            address: string;
            /** @description What create returned; may stand in place of a key. */
            clientSecret?: string;
            /** @description Short name of another network, for money that was sent there by mistake (`unmatched`). Default: the payment's own network. */
            network?: string;
        };
        Network: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The value of `network` when a payment is created. */
            shortName: string;
            chainId: number;
            type: string;
            isTestnet: boolean;
            /**
             * Format: uri
             * @description Null where the network has no explorer.
             */
            explorerUrl: string | null;
            /**
             * Format: uri
             * @example https://pay.example.com/logos/networks/base.svg
             */
            logo: string | null;
        };
        Token: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The value of `currency` when a payment is created. */
            symbol: string;
            /**
             * @description ISO 4217 code of the currency that one token is one unit of. Amounts of different currencies are not added.
             * @example USD
             */
            currency: string;
            contractAddress: string | null;
            decimals: number;
            /**
             * Format: uri
             * @example https://pay.example.com/logos/networks/base.svg
             */
            logo: string | null;
            isStablecoin: boolean;
            Network: {
                /** Format: uuid */
                id: string;
                name: string;
                /** @description The value of `network` when a payment is created. */
                shortName: string;
                chainId: string;
                type: string;
                isTestnet: boolean;
                /**
                 * Format: uri
                 * @description Null where the network has no explorer.
                 */
                explorerUrl: string | null;
                /**
                 * Format: uri
                 * @example https://pay.example.com/logos/networks/base.svg
                 */
                logo: string | null;
            };
        };
        PayableToken: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The value of `currency` when a payment is created. */
            symbol: string;
            /**
             * @description ISO 4217 code of the currency that one token is one unit of. Amounts of different currencies are not added.
             * @example USD
             */
            currency: string;
            contractAddress: string | null;
            decimals: number;
            /**
             * Format: uri
             * @example https://pay.example.com/logos/networks/base.svg
             */
            logo: string | null;
            isStablecoin: boolean;
            Network: {
                /** Format: uuid */
                id: string;
                name: string;
                /** @description The value of `network` when a payment is created. */
                shortName: string;
                chainId: string;
                type: string;
                isTestnet: boolean;
                /**
                 * Format: uri
                 * @description Null where the network has no explorer.
                 */
                explorerUrl: string | null;
                /**
                 * Format: uri
                 * @example https://pay.example.com/logos/networks/base.svg
                 */
                logo: string | null;
                confirmations: number;
                /** @description About how long those take; null where nobody knows. */
                confirmSeconds: number | null;
                /**
                 * @description Approximate fee of a token transfer.
                 * @enum {string|null}
                 */
                feeLevel: "low" | "high" | null;
            };
            /**
             * @description The amount of this token to send: the amount of the payment link, or its price at the current rate. Null without a current rate; absent if no price was asked for.
             * @example 25.00
             */
            amount?: string | null;
        };
        PaymentLink: {
            /** @description Viewers of the dashboard get only its first characters. */
            id: string;
            /**
             * @description `paid`: paid `maxPayments` times.
             * @enum {string}
             */
            state: "open" | "paid" | "expired" | "ended";
            /** @description Its payments are test payments; no money is sent. */
            isTest: boolean;
            amount: string | null;
            price: string | null;
            priceCurrency: string | null;
            network: string | null;
            currency: string | null;
            description: string | null;
            returnUrl: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            Merchant: {
                businessName: string;
            };
            /**
             * Format: uri
             * @description The URL that the customer opens. Null for a viewer of the dashboard.
             */
            url: string | null;
            maxPayments: number;
            /** @description How often its page was loaded. */
            opened: number;
            /** @description Number of its paid payments. */
            paid: number;
            orderId: string | null;
            callbackUrl: string | null;
            metadata: {
                [key: string]: string | number | boolean | null;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            endedAt: string | null;
        };
        CreateLink: {
            /**
             * @description In whole tokens, exact: at most the decimals of the token. Required, unless `price` is there.
             * @example 25.00
             */
            amount?: number | string;
            /** @description In `priceCurrency`, in place of `amount`: converted at the current rate and rounded up to a cent of the token. Without a fresh rate the create is refused with `NO_RATE`. */
            price?: number | string;
            /** @description ISO 4217 code of the currency of `price`, such as `EUR`. */
            priceCurrency?: string;
            /** @description Default: the customer chooses. */
            network?: string;
            /**
             * @description Default: the customer chooses.
             * @example USDC
             */
            currency?: string;
            /**
             * @description What the customer pays for. Shown to the customer.
             * @example Table 7
             */
            description?: string;
            /**
             * @description How often the link may be paid. Payments still open at that point are cancelled.
             * @default 1
             */
            maxPayments: number;
            /**
             * Format: date-time
             * @description No payments are created after this time. Default: never.
             */
            expiresAt?: string;
            orderId?: string;
            /** Format: uri */
            callbackUrl?: string;
            /**
             * Format: uri
             * @description Where the payment page and the element send the customer once the payment has ended, with `paymentId` in the query.
             * @example https://shop.example/orders/1042
             */
            returnUrl?: string;
            metadata?: {
                [key: string]: string | number | boolean | null;
            };
            /** @description Its payments are test payments. Default: the caller’s mode. */
            isTest?: boolean;
        };
        PublicPaymentLink: {
            id: string;
            /**
             * @description `paid`: paid `maxPayments` times.
             * @enum {string}
             */
            state: "open" | "paid" | "expired" | "ended";
            /** @description Its payments are test payments; no money is sent. */
            isTest: boolean;
            amount: string | null;
            price: string | null;
            priceCurrency: string | null;
            network: string | null;
            currency: string | null;
            description: string | null;
            returnUrl: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            Merchant: {
                businessName: string;
            };
        };
        LinkChoice: {
            network: string;
            /**
             * @description Symbol of a token that the network has, such as USDC or USDT.
             * @example USDC
             */
            currency: string;
            customerEmail?: string;
        };
        OwnTill: {
            name: string;
            merchantName: string;
            isTest: boolean;
            /** @description Whether the PIN was entered and the till is in use. */
            isOpen: boolean;
            isBlocked: boolean;
            /** @description Remaining wrong PINs until the till is blocked. */
            attemptsLeft: number;
            priceCurrency: string | null;
            /** @description Tokens that a customer can pay in. */
            symbols: string[];
        };
        Sale: {
            id: string;
            /**
             * @description `partial`: less than the amount has arrived. `detected`: the amount has arrived and is unconfirmed. Hand over goods only when `paid`.
             * @enum {string}
             */
            state: "open" | "partial" | "detected" | "paid" | "cancelled" | "expired";
            amount: string | null;
            price: string | null;
            priceCurrency: string | null;
            description: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: uri
             * @description Where the customer chooses network and token, and pays.
             */
            url: string | null;
            qr: components["schemas"]["QrCode"] | null;
            /** Format: uri */
            receiptUrl: string | null;
            receiptQr: components["schemas"]["QrCode"] | null;
            payment: components["schemas"]["SalePayment"] | null;
        };
        SalePayment: {
            /** Format: uuid */
            id: string;
            currency: string;
            networkName: string;
            /** @example 25.00 */
            amount: string;
            /** @example 25.00 */
            amountReceived: string;
            /** @example 25.00 */
            amountRemaining: string;
            confirmations: number;
            requiredConfirmations: number;
            address: string | null;
            addressQr: components["schemas"]["QrCode"] | null;
        };
        CreateSale: {
            /**
             * @description In the till's currency.
             * @example 12.50
             */
            amount: string;
            /** @example Two coffees */
            description?: string;
        };
        PairedStore: {
            id: string;
            /**
             * @description The name that the plug-in gave itself.
             * @example Corner shop
             */
            label: string;
            shopOrigin: string | null;
            permissions: string[];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            revokedAt: string | null;
        };
        StoreWebhook: {
            id: string;
            /** @example https://shop.example/webhook */
            url: string;
            enabled: boolean;
            /** Format: date-time */
            failingSince: string | null;
        };
        ContractPayment: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            paymentId: string;
            /** @enum {string} */
            status: "pending" | "completed" | "sweeping" | "swept" | "sweep_failed" | "expired" | "cancelled" | "failed";
            /** @enum {string} */
            outcome: "pending" | "paid" | "failed";
            isFinal: boolean;
            /** @enum {string} */
            paymentState: "awaiting" | "underpaid" | "completed" | "overpaid_refunding" | "expired_refunding";
            settlement: {
                /** @enum {string} */
                state: "" | "pending" | "settling" | "delayed" | "settled" | "failed";
                message: string;
            };
            /** @example 25.00 */
            amount: string;
            /** @example 25.00 */
            amountReceived: string | null;
            currency: string;
            network: string;
            transactionHash: string | null;
            depositTxHash: string | null;
            sweepTxHash: string | null;
            confirmations: number;
            requiredConfirmations: number;
            /** Format: date-time */
            detectedAt: string | null;
            /** Format: date-time */
            confirmedAt: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            bridgeStatus: string | null;
            isTest: boolean;
            sandbox: boolean;
            /** @example 25.00 */
            amountDetected: string | null;
            /** @example 25.00 */
            amountRemaining: string | null;
            /** @example 25.00 */
            excessOwed: string | null;
            refund: components["schemas"]["PaymentRefund"] | null;
            /** @description Money at the deposit address that was not asked for: another token, the chain's coin, another network. */
            unmatched: components["schemas"]["UnmatchedTransfer"][];
            depositAddress: string | null;
            depositMethod: string;
            /** Format: date-time */
            sweptAt: string | null;
            isExpired: boolean;
            /** @example 25.00 */
            totalAmount: string;
            /** @example 25.00 */
            feeAmount: string;
            /** @description Null on Solana: the token program itself pays. */
            contractAddress: string | null;
            splitterPaymentId: string;
            merchantWallet: string;
            platformWallet: string;
            merchantPercentage: number;
            platformPercentage: number;
            chainId: number | null;
            tokenAddress: string;
            tokenDecimals: number;
            /** @description Where the customer sends to, on the origin chain. */
            relayDepositAddress?: string;
            /**
             * @description In the origin token's smallest unit: exactly this much.
             * @example 25100000
             */
            amountToSend?: string;
            /** @example 25.10 */
            amountToSendFormatted?: string;
            originChainId?: number;
            originCurrency?: string;
            /** @description What the merchant receives, and where. */
            destination?: {
                network: string;
                currency: string;
                amount: string;
                address: string;
            };
            /** @description The progress in words, for the customer. */
            bridgeMessage?: string;
            /** @description The relay's reason for returning the money. */
            bridgeReason?: string | null;
            originTxHash?: string | null;
            destinationTxHash?: string | null;
            /** @description On the origin chain. */
            bridgeRefundTxHash?: string | null;
            Origin?: {
                name: string;
                chainId: number;
                explorerUrl: string | null;
                tokenAddress: string;
                decimals: number;
            };
            contractCall?: components["schemas"]["ContractCall"];
            /** @description In `priceCurrency`, as the create named it. */
            price: string | null;
            priceCurrency: string | null;
            /** @description Units of `priceCurrency` for one whole token, exact. */
            rate: string | null;
            /**
             * Format: date-time
             * @description The time of the rate.
             */
            rateAt: string | null;
            /** @description Where the customer returns once the payment has ended: the URL of the create, with `paymentId`. */
            returnUrl: string | null;
            paymentMode: string;
            /** Format: date-time */
            createdAt: string | null;
            /** @description For `eth_signTypedData_v4`: signed by a customer without coins, and sent to `/payments/{id}/authorize`. `from` is the payer; a `nonce` of null is 32 random bytes. A `PermitWitnessTransferFrom` is of Permit2, which the payer has approved once, and goes as `permit2Authorization`. Absent: not offered. */
            authorization?: {
                typedData: components["schemas"]["PaymentTypedData"];
            };
            /**
             * @description On Solana: a wallet may ask `/payments/solana-pay/{id}` with `feePayer: "service"` for a transaction whose fee the service pays, sign it, and bring it to `/payments/{id}/authorize`.
             * @enum {boolean}
             */
            sponsored?: true;
            explorer: {
                address: string | null;
                transaction: string | null;
            };
            paymentUri: string | null;
            Token: components["schemas"]["PaymentToken"];
            Network: components["schemas"]["PaymentNetwork"];
            Merchant: {
                businessName: string;
            };
            qr?: {
                address: components["schemas"]["QrCode"];
                uri: components["schemas"]["QrCode"] | null;
            };
            /**
             * @description Absent only where a public key repeats a create by its order id or its body, which can be guessed.
             * @example cs_J0Xl7cB0Qb8l4mPzJb1cV0Yk4c1m2H3xQW8pP6s9a2E
             */
            clientSecret?: string;
        };
        CreatePayment: {
            /**
             * @description In whole tokens, exact: at most the decimals of the token. Required, unless `price` is there.
             * @example 25.00
             */
            amount?: number | string;
            /** @description In `priceCurrency`, in place of `amount`: converted at the current rate and rounded up to a cent of the token. Without a fresh rate the create is refused with `NO_RATE`. */
            price?: number | string;
            /** @description ISO 4217 code of the currency of `price`, such as `EUR`. */
            priceCurrency?: string;
            /**
             * @description Symbol of a token that the network has, such as USDC or USDT.
             * @example USDC
             */
            currency: string;
            network: string;
            customerEmail?: string;
            /** Format: uri */
            callbackUrl?: string;
            /**
             * Format: uri
             * @description Where the payment page and the element send the customer once the payment has ended, with `paymentId` in the query.
             * @example https://shop.example/orders/1042
             */
            returnUrl?: string;
            orderId?: string;
            metadata?: {
                [key: string]: string | number | boolean | null;
            };
            agentId?: string;
            agentOwner?: string;
            autonomous?: boolean;
            /** Format: uuid */
            existingPaymentId?: string;
            /** @description The paying wallet. Only for older clients on Solana (`lenientClients`), whose transfers do not name the payment: only this wallet’s transfers pay it. */
            senderAddress?: string;
        };
        PaymentStatus: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            paymentId: string;
            /** @enum {string} */
            status: "pending" | "completed" | "sweeping" | "swept" | "sweep_failed" | "expired" | "cancelled" | "failed";
            /** @enum {string} */
            outcome: "pending" | "paid" | "failed";
            isFinal: boolean;
            /** @enum {string} */
            paymentState: "awaiting" | "underpaid" | "completed" | "overpaid_refunding" | "expired_refunding";
            settlement: {
                /** @enum {string} */
                state: "" | "pending" | "settling" | "delayed" | "settled" | "failed";
                message: string;
            };
            /** @example 25.00 */
            amount: string;
            /** @example 25.00 */
            amountReceived: string | null;
            currency: string;
            network: string;
            transactionHash: string | null;
            depositTxHash: string | null;
            sweepTxHash: string | null;
            confirmations: number;
            requiredConfirmations: number;
            /** Format: date-time */
            detectedAt: string | null;
            /** Format: date-time */
            confirmedAt: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            bridgeStatus: string | null;
            isTest: boolean;
            sandbox: boolean;
        };
        ProcessError: components["schemas"]["Error"] & {
            isAlreadyCompleted?: boolean;
            verificationAttempts?: number;
        };
        ProcessPayment: {
            /** Format: uuid */
            paymentId: string;
            network: string;
            transactionHash: string;
            senderAddress?: string;
        };
        SolanaPayRequest: {
            account: string;
            /**
             * @description Who pays the network’s fee. Default: `service` for a deposit, `customer` for a wallet payment.
             * @enum {string}
             */
            feePayer?: "service" | "customer";
        };
        AuthorizationRefused: components["schemas"]["Error"] & {
            fallback?: string;
            transactionHash?: string | null;
        };
        AuthorizePayment: {
            authorization?: components["schemas"]["Authorization"];
            permit2Authorization?: components["schemas"]["Permit2Authorization"];
            /** @description The wallet's answer to eth_signTypedData_v4. */
            signature?: string;
            /** @description With `r` and `s`, instead of `signature`. */
            v?: number;
            r?: string;
            s?: string;
            /** @description Solana only: the transaction signed by the customer, whose fee the service pays, in base64. */
            transaction?: string;
        };
        Authorization: {
            from: string;
            to: string;
            /** @description Base units of the token; exactly the open amount. */
            value: string;
            validAfter: string;
            validBefore: string;
            nonce: string;
        };
        /** @description Instead of `authorization`, if the payment's typed data is Permit2's. */
        Permit2Authorization: {
            from: string;
            permitted: {
                token: string;
                /** @description Base units of the token; exactly the open amount. */
                amount: string;
            };
            spender: string;
            nonce: string;
            deadline: string;
            witness: {
                depositAddress: string;
            } | {
                termsHash: string;
            };
        };
        CrossChainPayment: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            paymentId: string;
            /** @enum {string} */
            status: "pending" | "completed" | "sweeping" | "swept" | "sweep_failed" | "expired" | "cancelled" | "failed";
            /** @enum {string} */
            outcome: "pending" | "paid" | "failed";
            isFinal: boolean;
            /** @enum {string} */
            paymentState: "awaiting" | "underpaid" | "completed" | "overpaid_refunding" | "expired_refunding";
            settlement: {
                /** @enum {string} */
                state: "" | "pending" | "settling" | "delayed" | "settled" | "failed";
                message: string;
            };
            /** @example 25.00 */
            amount: string;
            /** @example 25.00 */
            amountReceived: string | null;
            currency: string;
            network: string;
            transactionHash: string | null;
            depositTxHash: string | null;
            sweepTxHash: string | null;
            confirmations: number;
            requiredConfirmations: number;
            /** Format: date-time */
            detectedAt: string | null;
            /** Format: date-time */
            confirmedAt: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            bridgeStatus: string | null;
            isTest: boolean;
            sandbox: boolean;
            /** @example 25.00 */
            amountDetected: string | null;
            /** @example 25.00 */
            amountRemaining: string | null;
            /** @example 25.00 */
            excessOwed: string | null;
            refund: components["schemas"]["PaymentRefund"] | null;
            /** @description Money at the deposit address that was not asked for: another token, the chain's coin, another network. */
            unmatched: components["schemas"]["UnmatchedTransfer"][];
            depositAddress: string | null;
            depositMethod: string;
            /** Format: date-time */
            sweptAt: string | null;
            isExpired: boolean;
            /** @example 25.00 */
            totalAmount?: string;
            /** @example 25.00 */
            feeAmount?: string;
            /** @description Null on Solana: the token program itself pays. */
            contractAddress?: string | null;
            splitterPaymentId?: string;
            merchantWallet?: string;
            platformWallet?: string;
            merchantPercentage?: number;
            platformPercentage?: number;
            chainId?: number | null;
            tokenAddress?: string;
            tokenDecimals?: number;
            /** @description Where the customer sends to, on the origin chain. */
            relayDepositAddress: string;
            /**
             * @description In the origin token's smallest unit: exactly this much.
             * @example 25100000
             */
            amountToSend: string;
            /** @example 25.10 */
            amountToSendFormatted: string;
            originChainId: number;
            originCurrency: string;
            /** @description What the merchant receives, and where. */
            destination: {
                network: string;
                currency: string;
                amount: string;
                address: string;
            };
            /** @description The progress in words, for the customer. */
            bridgeMessage: string;
            /** @description The relay's reason for returning the money. */
            bridgeReason: string | null;
            originTxHash: string | null;
            destinationTxHash: string | null;
            /** @description On the origin chain. */
            bridgeRefundTxHash: string | null;
            Origin: {
                name: string;
                chainId: number;
                explorerUrl: string | null;
                tokenAddress: string;
                decimals: number;
            };
            contractCall?: components["schemas"]["ContractCall"];
            /** @description In `priceCurrency`, as the create named it. */
            price: string | null;
            priceCurrency: string | null;
            /** @description Units of `priceCurrency` for one whole token, exact. */
            rate: string | null;
            /**
             * Format: date-time
             * @description The time of the rate.
             */
            rateAt: string | null;
            /** @description Where the customer returns once the payment has ended: the URL of the create, with `paymentId`. */
            returnUrl: string | null;
            paymentMode: string;
            /** Format: date-time */
            createdAt: string | null;
            /** @description For `eth_signTypedData_v4`: signed by a customer without coins, and sent to `/payments/{id}/authorize`. `from` is the payer; a `nonce` of null is 32 random bytes. A `PermitWitnessTransferFrom` is of Permit2, which the payer has approved once, and goes as `permit2Authorization`. Absent: not offered. */
            authorization?: {
                typedData: components["schemas"]["PaymentTypedData"];
            };
            /**
             * @description On Solana: a wallet may ask `/payments/solana-pay/{id}` with `feePayer: "service"` for a transaction whose fee the service pays, sign it, and bring it to `/payments/{id}/authorize`.
             * @enum {boolean}
             */
            sponsored?: true;
            explorer: {
                address: string | null;
                transaction: string | null;
            };
            paymentUri: string | null;
            Token: components["schemas"]["PaymentToken"];
            Network: components["schemas"]["PaymentNetwork"];
            Merchant: {
                businessName: string;
            };
            qr?: {
                address: components["schemas"]["QrCode"];
                uri: components["schemas"]["QrCode"] | null;
            };
            /**
             * @description Absent only where a public key repeats a create by its order id or its body, which can be guessed.
             * @example cs_J0Xl7cB0Qb8l4mPzJb1cV0Yk4c1m2H3xQW8pP6s9a2E
             */
            clientSecret?: string;
        };
        CreateCrossChainPayment: {
            /**
             * @description In whole tokens, exact: at most the decimals of the token. Required, unless `price` is there.
             * @example 25.00
             */
            amount?: number | string;
            /** @description In `priceCurrency`, in place of `amount`: converted at the current rate and rounded up to a cent of the token. Without a fresh rate the create is refused with `NO_RATE`. */
            price?: number | string;
            /** @description ISO 4217 code of the currency of `price`, such as `EUR`. */
            priceCurrency?: string;
            originChainId: number;
            /**
             * @description Symbol or address of the token that the customer sends.
             * @example USDC
             */
            originCurrency: string;
            /** @description The network on which the merchant is paid. Default: the first of its networks that the bridge reaches. */
            network?: string;
            /**
             * @description The token that the merchant receives. Default: the token that the customer sends.
             * @example USDC
             */
            currency?: string;
            customerEmail?: string;
            /** Format: uri */
            callbackUrl?: string;
            /**
             * Format: uri
             * @description Where the payment page and the element send the customer once the payment has ended, with `paymentId` in the query.
             * @example https://shop.example/orders/1042
             */
            returnUrl?: string;
            orderId?: string;
            metadata?: {
                [key: string]: string | number | boolean | null;
            };
            /** @description Seconds. Default: 1800. With a public key at most 86400; longer requires API key and secret. */
            expiresIn?: number;
            /** Format: uuid */
            existingPaymentId?: string;
        };
        MerchantRefund: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            paymentId: string;
            /** @enum {string} */
            status: "awaiting_address" | "to_pay" | "confirming" | "paid" | "cancelled";
            network: string;
            networkName: string;
            currency: string;
            /** @example 25.00 */
            amount: string;
            price: string | null;
            priceCurrency: string | null;
            /** @description Units of `priceCurrency` for one whole token. */
            rate: string | null;
            /** @enum {string|null} */
            rateOf: "then" | "now" | null;
            reason: string | null;
            /** @description The customer's address; null: nobody has named it. */
            address: string | null;
            /**
             * @description Confirmed.
             * @example 25.00
             */
            paid: string;
            /**
             * @description Still to be paid, counting what is confirming.
             * @example 25.00
             */
            remaining: string;
            /**
             * @description Paid beyond the amount, such as by paying twice.
             * @example 25.00
             */
            excess: string;
            /** @description Of the newest transfer. */
            transactionHash: string | null;
            transactions: components["schemas"]["MerchantRefundTransaction"][];
            merchantName: string;
            isTest: boolean;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When `address` was named. Null: nobody has named it.
             */
            addressNamedAt: string | null;
            /** Format: date-time */
            paidAt: string | null;
            /** Format: date-time */
            cancelledAt: string | null;
            tokenAddress: string;
            tokenDecimals: number;
            /** @description `remaining` in base units of the token. */
            remainingUnits: string;
            /** @description The person who asked for it in the dashboard. Null: a key, a store or the command line. */
            requestedBy: string | null;
            /** @description The shop's reference of the refunded payment. */
            orderId: string | null;
            /** @description The customer's page, where the address is named and the state is shown. Send it to the customer only. Null in the dashboard, except in the first response to the create. */
            pageUrl: string | null;
            /** @description What the merchant's wallet sends through the splitter. Null: pay by a transfer, or nothing is due, such as while the payment is no longer paid after a reorg, or once a cancelled refund was paid after all. */
            call: components["schemas"]["ContractCall"] | null;
            qr?: components["schemas"]["QrCode"] & unknown;
            /** @description The same as a plain transfer, as EIP-681 or Solana Pay. Null: nothing is due now. */
            paymentUri: string | null;
            /** @description Whether a plain transfer is also found automatically when it comes from an address of the merchant's own wallet that a payment was given. */
            ownAddressesPay: boolean;
            /** @description How a wallet in the browser pays the refund. Null: nothing is due now, or none can. */
            wallet: {
                /**
                 * @description It sends `call`, a transfer of the token, or a transaction of `promptRefundWallet`.
                 * @enum {string}
                 */
                by: "call" | "transfer" | "transaction";
                /** @description The settlement wallet: the only account whose transfer is found automatically, unless `ownAddressesPay`. Null: any account. */
                account: string | null;
                chain: {
                    chainId: number;
                    name: string;
                    rpcUrls: string[];
                    nativeCurrency: {
                        name: string;
                        symbol: string;
                        decimals: number;
                    };
                    explorerUrl: string | null;
                } | null;
            } | null;
            /** @description What a wallet was asked to send for the refund while it may still pay: do not pay it again. Null: there is none. */
            prompt: {
                /** Format: uuid */
                id: string;
                account: string;
                /** Format: date-time */
                askedAt: string;
                transactionHash: string | null;
                /** @description Of `wallet_sendCalls`, which the wallet knows it by. */
                batchId: string | null;
            } | null;
        };
        MerchantRefundTransaction: {
            hash: string;
            /** @example 25.00 */
            amount: string;
            confirmations: number;
            /** @description It has the confirmations that the refund requires. */
            isFinal: boolean;
            explorerUrl: string | null;
        };
        RequestMerchantRefund: {
            /**
             * @description In whole tokens, exact. Without `amount` and `price`: everything that is not yet refunded.
             * @example 10.00
             */
            amount?: number | string;
            /** @description In `priceCurrency`, in place of `amount`: converted by `rate` and rounded up to a cent of the token. */
            price?: number | string;
            /** @description ISO 4217 code. Default: the currency of the payment's price. */
            priceCurrency?: string;
            /**
             * @description `then`: the payment's rate, the default for a payment with a price. `now`: the current rate.
             * @enum {string}
             */
            rate?: "then" | "now";
            /** @description The customer's address on the payment's network. Without it the customer names one on the page of `pageUrl`. */
            address?: string;
            /** @description The customer reads it too. */
            reason?: string;
        };
        PublicMerchantRefund: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            paymentId: string;
            /** @enum {string} */
            status: "awaiting_address" | "to_pay" | "confirming" | "paid" | "cancelled";
            network: string;
            networkName: string;
            currency: string;
            /** @example 25.00 */
            amount: string;
            price: string | null;
            priceCurrency: string | null;
            /** @description Units of `priceCurrency` for one whole token. */
            rate: string | null;
            /** @enum {string|null} */
            rateOf: "then" | "now" | null;
            reason: string | null;
            /** @description The customer's address; null: nobody has named it. */
            address: string | null;
            /**
             * @description Confirmed.
             * @example 25.00
             */
            paid: string;
            /**
             * @description Still to be paid, counting what is confirming.
             * @example 25.00
             */
            remaining: string;
            /**
             * @description Paid beyond the amount, such as by paying twice.
             * @example 25.00
             */
            excess: string;
            /** @description Of the newest transfer. */
            transactionHash: string | null;
            transactions: components["schemas"]["MerchantRefundTransaction"][];
            merchantName: string;
            isTest: boolean;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When `address` was named. Null: nobody has named it.
             */
            addressNamedAt: string | null;
            /** Format: date-time */
            paidAt: string | null;
            /** Format: date-time */
            cancelledAt: string | null;
        };
        NameMerchantRefundAddress: {
            address: string;
            /** @description What create returned; may stand in place of a key. */
            clientSecret?: string;
        };
        VerifyMerchantRefund: {
            transactionHash: string;
        };
        PromptRefundWallet: {
            /** @description On one network, paid by one signature or in one batch. */
            refundIds: string[];
            /**
             * @description The wallet that pays.
             * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
             */
            account: string;
        };
        ReportRefundPrompt: {
            transactionHash?: string;
            batchId?: string;
            /**
             * @description The wallet has certainly sent nothing.
             * @enum {boolean}
             */
            isRejected?: true;
            /**
             * @description The wallet says that no block has its batch and that it will not send it again (EIP-5792, status 400).
             * @enum {boolean}
             */
            isGivenUp?: true;
        };
        FailPayment: {
            /** Format: uuid */
            paymentId: string;
            /** @enum {string} */
            status?: "failed" | "cancelled" | "expired";
            /** @description Reason, shown to the merchant as `failureReason`. */
            reason?: string;
            /** @description What create returned; may stand in place of a key. */
            clientSecret?: string;
        };
        KeyOrigins: {
            /** @description Scheme and host, with its port if there is one. Empty: the live public key is accepted from any page. */
            origins: string[];
        };
        SandboxPayment: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            paymentId: string;
            /** @enum {string} */
            status: "pending" | "completed" | "sweeping" | "swept" | "sweep_failed" | "expired" | "cancelled" | "failed";
            /** @enum {string} */
            outcome: "pending" | "paid" | "failed";
            isFinal: boolean;
            /** @enum {string} */
            paymentState: "awaiting" | "underpaid" | "completed" | "overpaid_refunding" | "expired_refunding";
            settlement: {
                /** @enum {string} */
                state: "" | "pending" | "settling" | "delayed" | "settled" | "failed";
                message: string;
            };
            /** @example 25.00 */
            amount: string;
            /** @example 25.00 */
            amountReceived: string | null;
            currency: string;
            network: string;
            transactionHash: string | null;
            depositTxHash: string | null;
            sweepTxHash: string | null;
            confirmations: number;
            requiredConfirmations: number;
            /** Format: date-time */
            detectedAt: string | null;
            /** Format: date-time */
            confirmedAt: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            bridgeStatus: string | null;
            isTest: boolean;
            sandbox: boolean;
            /** @example 25.00 */
            amountDetected: string | null;
            /** @example 25.00 */
            amountRemaining: string | null;
            /** @example 25.00 */
            excessOwed: string | null;
            refund: components["schemas"]["PaymentRefund"] | null;
            /** @description Money at the deposit address that was not asked for: another token, the chain's coin, another network. */
            unmatched: components["schemas"]["UnmatchedTransfer"][];
            depositAddress: string | null;
            depositMethod: string;
            /** Format: date-time */
            sweptAt: string | null;
            isExpired: boolean;
            /** @example 25.00 */
            totalAmount?: string;
            feeAmount: string;
            /** @description Null on Solana: the token program itself pays. */
            contractAddress?: string | null;
            splitterPaymentId?: string;
            merchantWallet?: string;
            platformWallet?: string;
            merchantPercentage?: number;
            platformPercentage?: number;
            chainId?: number | null;
            tokenAddress?: string;
            tokenDecimals?: number;
            /** @description Where the customer sends to, on the origin chain. */
            relayDepositAddress?: string;
            /**
             * @description In the origin token's smallest unit: exactly this much.
             * @example 25100000
             */
            amountToSend?: string;
            /** @example 25.10 */
            amountToSendFormatted?: string;
            originChainId?: number;
            originCurrency?: string;
            /** @description What the merchant receives, and where. */
            destination?: {
                network: string;
                currency: string;
                amount: string;
                address: string;
            };
            /** @description The progress in words, for the customer. */
            bridgeMessage?: string;
            /** @description The relay's reason for returning the money. */
            bridgeReason?: string | null;
            originTxHash?: string | null;
            destinationTxHash?: string | null;
            /** @description On the origin chain. */
            bridgeRefundTxHash?: string | null;
            Origin?: {
                name: string;
                chainId: number;
                explorerUrl: string | null;
                tokenAddress: string;
                decimals: number;
            };
            contractCall?: components["schemas"]["ContractCall"];
            /** @description In `priceCurrency`, as the create named it. */
            price: string | null;
            priceCurrency: string | null;
            /** @description Units of `priceCurrency` for one whole token, exact. */
            rate: string | null;
            /**
             * Format: date-time
             * @description The time of the rate.
             */
            rateAt: string | null;
            /** @description Where the customer returns once the payment has ended: the URL of the create, with `paymentId`. */
            returnUrl: string | null;
            paymentMode: string;
            /** Format: date-time */
            createdAt: string | null;
            /** @description For `eth_signTypedData_v4`: signed by a customer without coins, and sent to `/payments/{id}/authorize`. `from` is the payer; a `nonce` of null is 32 random bytes. A `PermitWitnessTransferFrom` is of Permit2, which the payer has approved once, and goes as `permit2Authorization`. Absent: not offered. */
            authorization?: {
                typedData: components["schemas"]["PaymentTypedData"];
            };
            /**
             * @description On Solana: a wallet may ask `/payments/solana-pay/{id}` with `feePayer: "service"` for a transaction whose fee the service pays, sign it, and bring it to `/payments/{id}/authorize`.
             * @enum {boolean}
             */
            sponsored?: true;
            explorer: {
                address: string | null;
                transaction: string | null;
            };
            paymentUri: string | null;
            Token: components["schemas"]["PaymentToken"];
            Network: components["schemas"]["PaymentNetwork"];
            Merchant: {
                businessName: string;
            };
            qr?: {
                address: components["schemas"]["QrCode"];
                uri: components["schemas"]["QrCode"] | null;
            };
            /**
             * @description Absent only where a public key repeats a create by its order id or its body, which can be guessed.
             * @example cs_J0Xl7cB0Qb8l4mPzJb1cV0Yk4c1m2H3xQW8pP6s9a2E
             */
            clientSecret?: string;
        };
        CreateSandboxPayment: {
            /**
             * @description In whole tokens, exact: at most the decimals of the token. Required, unless `price` is there.
             * @example 25.00
             */
            amount?: number | string;
            /** @description In `priceCurrency`, in place of `amount`: converted at the current rate and rounded up to a cent of the token. Without a fresh rate the create is refused with `NO_RATE`. */
            price?: number | string;
            /** @description ISO 4217 code of the currency of `price`, such as `EUR`. */
            priceCurrency?: string;
            /**
             * @description Symbol of a token that the network has, such as USDC or USDT.
             * @example USDC
             */
            currency: string;
            network?: string;
            /**
             * @description The mode of the payment: what `/deposits/create` or `/payments/create` would make.
             * @default deposit
             * @enum {string}
             */
            paymentMode: "deposit" | "contract";
            customerEmail?: string;
            /** Format: uri */
            callbackUrl?: string;
            /**
             * Format: uri
             * @description Where the payment page and the element send the customer once the payment has ended, with `paymentId` in the query.
             * @example https://shop.example/orders/1042
             */
            returnUrl?: string;
            orderId?: string;
            metadata?: {
                [key: string]: string | number | boolean | null;
            };
        };
        SimulatePayment: {
            /** @enum {string} */
            action: "complete" | "fail" | "detect" | "underpay" | "overpay" | "expire" | "late" | "reorg" | "sweep_fail" | "refund" | "refund_paid" | "refund_reorg";
        };
        WebhookEndpoint: {
            id: string;
            url: string;
            description: string;
            eventTypes: string[] | null;
            isTest: boolean;
            enabled: boolean;
            /**
             * @description `gone`: the endpoint responded 410. `failing`: every attempt of five days failed.
             * @enum {string|null}
             */
            disabledReason: "merchant" | "gone" | "failing" | null;
            /** Format: date-time */
            disabledAt: string | null;
            /**
             * Format: date-time
             * @description The first failure since the last success.
             */
            failingSince: string | null;
            /** Format: date-time */
            previousSecretExpiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        NewWebhookEndpoint: {
            /** @example https://shop.example/webhooks */
            url: string;
            /** @default  */
            description: string;
            /**
             * @description Null: all.
             * @default null
             */
            eventTypes: ("payment.created" | "payment.detected" | "payment.underpaid" | "payment.completed" | "payment.overpaid" | "payment.late" | "payment.reorged" | "payment.expired" | "payment.cancelled" | "payment.failed" | "deposit.swept" | "deposit.sweep_failed" | "deposit.refunded" | "deposit.unmatched_received" | "deposit.unmatched_refunded" | "bridge.moved" | "refund.requested" | "refund.paid" | "refund.failed")[] | null;
            /**
             * @description Send events of test payments instead of live ones.
             * @default false
             */
            isTest: boolean;
        };
        WebhookEndpointChanges: {
            url?: string;
            description?: string;
            /** @description Null: all. */
            eventTypes?: ("payment.created" | "payment.detected" | "payment.underpaid" | "payment.completed" | "payment.overpaid" | "payment.late" | "payment.reorged" | "payment.expired" | "payment.cancelled" | "payment.failed" | "deposit.swept" | "deposit.sweep_failed" | "deposit.refunded" | "deposit.unmatched_received" | "deposit.unmatched_refunded" | "bridge.moved" | "refund.requested" | "refund.paid" | "refund.failed")[] | null;
            enabled?: boolean;
        };
        SecretRotation: {
            /**
             * @description The old secret stops signing at once instead of after a day.
             * @default false
             */
            immediately: boolean;
        };
        WebhookDelivery: {
            /** @example 1042 */
            id: string;
            /** @description The `webhook-id` of all attempts. */
            messageId: string;
            type: string;
            /** Format: uuid */
            paymentId: string | null;
            sequence: number;
            /** @description Null: the payment's callbackUrl. */
            endpointId: string | null;
            /** @description Where the next attempt goes, or the last one went. */
            url: string;
            /** @enum {string} */
            state: "due" | "delivered" | "failed";
            attemptCount: number;
            /** @description The newest ten. */
            attempts: {
                number: number;
                /** @description Where it was sent. Null for deliveries of older versions, which stored no URL. */
                url: string | null;
                /** Format: date-time */
                sentAt: string;
                tookMs: number;
                code: number | null;
                /** @description Why there was no response. */
                error: string | null;
                /** @description The first 2 kB of the response. Treat it as untrusted text. */
                answer: string;
            }[];
            /** Format: date-time */
            nextAttemptAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            doneAt: string | null;
        };
        WebhookRequest: {
            /** @enum {string} */
            method: "POST";
            /** @description Where the next attempt goes. */
            url: string;
            /** @description Headers of every attempt. */
            headers: {
                [key: string]: string;
            };
            /** @description The exact body of every attempt, at most its first 65536 characters. */
            body: string;
            bodyBytes: number;
            isCut: boolean;
            /** @description The newest ten. */
            attempts: {
                number: number;
                /** @description Where it was sent. Null for deliveries of older versions, which stored no URL. */
                url: string | null;
                /** Format: date-time */
                sentAt: string;
                /** @description Time and signature of this attempt. Null: nothing was posted, or by an older version that stored no signatures. */
                headers: {
                    [key: string]: string;
                } | null;
            }[];
        };
        WebhookReplay: {
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            until?: string;
            /** @description Events for this endpoint, including those from before it existed. Default: all deliveries of the merchant. */
            endpointId?: string;
            /** @default false */
            isTest: boolean;
            /**
             * @description Leave out delivered events.
             * @enum {string}
             */
            only?: "undelivered";
            after?: string;
        };
        FeedEvent: {
            /** @description The `webhook-id`. */
            id: string;
            /** @description Pass it as `after` to continue after this event. */
            cursor: string;
            type: string;
            /** Format: date-time */
            timestamp: string;
            /** @description The payment at the time of the event. */
            data: {
                [key: string]: unknown;
            };
        };
        MailReceipt: {
            /** Format: email */
            email: string;
            /** @description Of the mail: en, ar, de, es, fr, hi, id, pt, sw, tr, vi, zh. Default: the browser's. */
            language?: string;
            /** @description What create returned; may stand in place of a key. */
            clientSecret?: string;
        };
        NoticeChannel: {
            id: string;
            /** @enum {string} */
            kind: "email" | "push" | "telegram" | "slack";
            /**
             * @description Without the secret parts.
             * @example a…@shop.example
             */
            label: string;
            kinds: ("paid" | "late" | "refund" | "trouble")[];
            /** @description False: an address whose link nobody has opened. It gets no notices. */
            isConfirmed: boolean;
            /** Format: date-time */
            failingSince: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        AddNoticeChannel: {
            /** @enum {string} */
            kind: "email" | "push" | "telegram" | "slack";
            /**
             * Format: email
             * @description Of kind `email`.
             */
            email?: string;
            /** @description Of kind `push`: `PushSubscription.toJSON()`. */
            subscription?: {
                /** Format: uri */
                endpoint: string;
                keys: {
                    p256dh: string;
                    auth: string;
                };
            };
            /** @description Of kind `telegram`: `https://api.telegram.org/bot<token>/sendMessage?chat_id=<chat>`. Of kind `slack`: an incoming webhook. Kept sealed. */
            url?: string;
            /** @description Empty: none. */
            kinds: ("paid" | "late" | "refund" | "trouble")[];
            /**
             * @description Of the notices.
             * @example en
             * @enum {string}
             */
            language: "en" | "ar" | "de" | "es" | "fr" | "hi" | "id" | "pt" | "sw" | "tr" | "vi" | "zh";
        };
        PublicPayment: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            paymentId: string;
            /** @enum {string} */
            status: "pending" | "completed" | "sweeping" | "swept" | "sweep_failed" | "expired" | "cancelled" | "failed";
            /** @enum {string} */
            outcome: "pending" | "paid" | "failed";
            isFinal: boolean;
            /** @enum {string} */
            paymentState: "awaiting" | "underpaid" | "completed" | "overpaid_refunding" | "expired_refunding";
            settlement: {
                /** @enum {string} */
                state: "" | "pending" | "settling" | "delayed" | "settled" | "failed";
                message: string;
            };
            /** @example 25.00 */
            amount: string;
            /** @example 25.00 */
            amountReceived: string | null;
            currency: string;
            network: string;
            transactionHash: string | null;
            depositTxHash: string | null;
            sweepTxHash: string | null;
            confirmations: number;
            requiredConfirmations: number;
            /** Format: date-time */
            detectedAt: string | null;
            /** Format: date-time */
            confirmedAt: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            bridgeStatus: string | null;
            isTest: boolean;
            sandbox: boolean;
            /** @example 25.00 */
            amountDetected: string | null;
            /** @example 25.00 */
            amountRemaining: string | null;
            /** @example 25.00 */
            excessOwed: string | null;
            refund: components["schemas"]["PaymentRefund"] | null;
            /** @description Money at the deposit address that was not asked for: another token, the chain's coin, another network. */
            unmatched: components["schemas"]["UnmatchedTransfer"][];
            depositAddress: string | null;
            depositMethod: string;
            /** Format: date-time */
            sweptAt: string | null;
            isExpired: boolean;
            /** @example 25.00 */
            totalAmount?: string;
            /** @example 25.00 */
            feeAmount?: string;
            /** @description Null on Solana: the token program itself pays. */
            contractAddress?: string | null;
            splitterPaymentId?: string;
            merchantWallet?: string;
            platformWallet?: string;
            merchantPercentage?: number;
            platformPercentage?: number;
            chainId?: number | null;
            tokenAddress?: string;
            tokenDecimals?: number;
            /** @description Where the customer sends to, on the origin chain. */
            relayDepositAddress?: string;
            /**
             * @description In the origin token's smallest unit: exactly this much.
             * @example 25100000
             */
            amountToSend?: string;
            /** @example 25.10 */
            amountToSendFormatted?: string;
            originChainId?: number;
            originCurrency?: string;
            /** @description What the merchant receives, and where. */
            destination?: {
                network: string;
                currency: string;
                amount: string;
                address: string;
            };
            /** @description The progress in words, for the customer. */
            bridgeMessage?: string;
            /** @description The relay's reason for returning the money. */
            bridgeReason?: string | null;
            originTxHash?: string | null;
            destinationTxHash?: string | null;
            /** @description On the origin chain. */
            bridgeRefundTxHash?: string | null;
            Origin?: {
                name: string;
                chainId: number;
                explorerUrl: string | null;
                tokenAddress: string;
                decimals: number;
            };
            contractCall?: components["schemas"]["ContractCall"];
            /** @description In `priceCurrency`, as the create named it. */
            price: string | null;
            priceCurrency: string | null;
            /** @description Units of `priceCurrency` for one whole token, exact. */
            rate: string | null;
            /**
             * Format: date-time
             * @description The time of the rate.
             */
            rateAt: string | null;
            /** @description Where the customer returns once the payment has ended: the URL of the create, with `paymentId`. */
            returnUrl: string | null;
            paymentMode: string;
            /** Format: date-time */
            createdAt: string | null;
            /** @description For `eth_signTypedData_v4`: signed by a customer without coins, and sent to `/payments/{id}/authorize`. `from` is the payer; a `nonce` of null is 32 random bytes. A `PermitWitnessTransferFrom` is of Permit2, which the payer has approved once, and goes as `permit2Authorization`. Absent: not offered. */
            authorization?: {
                typedData: components["schemas"]["PaymentTypedData"];
            };
            /**
             * @description On Solana: a wallet may ask `/payments/solana-pay/{id}` with `feePayer: "service"` for a transaction whose fee the service pays, sign it, and bring it to `/payments/{id}/authorize`.
             * @enum {boolean}
             */
            sponsored?: true;
            explorer: {
                address: string | null;
                transaction: string | null;
            };
            paymentUri: string | null;
            Token: components["schemas"]["PaymentToken"];
            Network: components["schemas"]["PaymentNetwork"];
            Merchant: {
                businessName: string;
            };
            qr?: {
                address: components["schemas"]["QrCode"];
                uri: components["schemas"]["QrCode"] | null;
            };
            /** @description Refunds that the merchant's wallet has paid or has still to pay, oldest first. Only where the payment is read by its id. */
            refunds?: components["schemas"]["RefundOfPublicPayment"][];
        };
        RefundOfPublicPayment: {
            /** @enum {string} */
            status: "awaiting_address" | "to_pay" | "confirming" | "paid" | "cancelled";
            /** @example 25.00 */
            amount: string;
            /**
             * @description Confirmed.
             * @example 25.00
             */
            paid: string;
            transactions: {
                hash: string;
                explorerUrl: string | null;
            }[];
            /** Format: date-time */
            paidAt: string | null;
        };
        Receipt: {
            /** @example 20261124-7F0F1F4E */
            number: string;
            /**
             * @description `none`: the payment is still open, or nothing was paid. `notPaid`: it ended with less than was due.
             * @enum {string}
             */
            state: "paid" | "partlyRefunded" | "refunded" | "notPaid" | "none";
            /**
             * Format: uri
             * @description The page for the customer; null: the service has no address.
             */
            url: string | null;
            orderId: string | null;
            /** @description What the payment link was for. */
            description: string | null;
        };
        /** @description 100 stands for 100 or more. */
        PaymentCounts: {
            all: number;
            paid: number;
            partly_paid: number;
            overpaid: number;
            late: number;
            refunded: number;
            to_do: number;
        };
        FoundPayment: {
            /** Format: uuid */
            paymentId: string;
            orderId: string | null;
            customerEmail: string | null;
            paymentMode: string;
            isTest: boolean;
            network: string;
            currency: string;
            /** @example 25.00 */
            amount: string;
            /**
             * @description Confirmed, including late money.
             * @example 25.00
             */
            amountReceived: string;
            /** @example 25.00 */
            amountRefunded: string;
            /**
             * @description The unpaid part of `amount`, counting money confirmed in time.
             * @example 25.00
             */
            amountRemaining: string;
            /** @enum {string} */
            status: "pending" | "completed" | "sweeping" | "swept" | "sweep_failed" | "expired" | "cancelled" | "failed";
            /** @enum {string} */
            outcome: "pending" | "paid" | "failed";
            /**
             * @description What a person has to do; null: nothing.
             * @enum {string|null}
             */
            attention: "payout_failed" | "refund_failed" | "late_held" | "refund_address" | "return_failed" | "unmatched" | "merchant_refund" | "excess_owed" | null;
            depositAddress: string | null;
            transactionHash: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        HistoryEntry: {
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            kind: "event" | "transfer" | "webhook" | "transaction" | "refund request";
            says: string;
            /** @description `says` as a code with its values, for a sentence in another language. */
            sentence: {
                /** @description More codes may be added: where one is unknown, show `says`. */
                code: string;
                values: string[];
            };
        } & {
            [key: string]: unknown;
        };
        PaymentRecord: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            paymentId: string;
            /** @enum {string} */
            status: "pending" | "completed" | "sweeping" | "swept" | "sweep_failed" | "expired" | "cancelled" | "failed";
            /** @enum {string} */
            outcome: "pending" | "paid" | "failed";
            isFinal: boolean;
            /** @enum {string} */
            paymentState: "awaiting" | "underpaid" | "completed" | "overpaid_refunding" | "expired_refunding";
            settlement: {
                /** @enum {string} */
                state: "" | "pending" | "settling" | "delayed" | "settled" | "failed";
                message: string;
            };
            /** @example 25.00 */
            amount: string;
            /** @example 25.00 */
            amountReceived: string | null;
            currency: string;
            network: string;
            transactionHash: string | null;
            depositTxHash: string | null;
            sweepTxHash: string | null;
            confirmations: number;
            requiredConfirmations: number;
            /** Format: date-time */
            detectedAt: string | null;
            /** Format: date-time */
            confirmedAt: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            bridgeStatus: string | null;
            isTest: boolean;
            sandbox: boolean;
            /** @example 25.00 */
            amountDetected: string | null;
            /** @example 25.00 */
            amountRemaining: string | null;
            /** @example 25.00 */
            excessOwed: string | null;
            refund: components["schemas"]["PaymentRefund"] | null;
            /** @description Money at the deposit address that was not asked for: another token, the chain's coin, another network. */
            unmatched: components["schemas"]["UnmatchedTransfer"][];
            depositAddress: string | null;
            depositMethod: string;
            /** Format: date-time */
            sweptAt: string | null;
            isExpired: boolean;
            /** @example 25.00 */
            totalAmount?: string;
            /** @example 25.00 */
            feeAmount?: string;
            /** @description Null on Solana: the token program itself pays. */
            contractAddress?: string | null;
            splitterPaymentId?: string;
            merchantWallet?: string;
            platformWallet?: string;
            merchantPercentage?: number;
            platformPercentage?: number;
            chainId?: number | null;
            tokenAddress?: string;
            tokenDecimals?: number;
            /** @description Where the customer sends to, on the origin chain. */
            relayDepositAddress?: string;
            /**
             * @description In the origin token's smallest unit: exactly this much.
             * @example 25100000
             */
            amountToSend?: string;
            /** @example 25.10 */
            amountToSendFormatted?: string;
            originChainId?: number;
            originCurrency?: string;
            /** @description What the merchant receives, and where. */
            destination?: {
                network: string;
                currency: string;
                amount: string;
                address: string;
            };
            /** @description The progress in words, for the customer. */
            bridgeMessage?: string;
            /** @description The relay's reason for returning the money. */
            bridgeReason?: string | null;
            originTxHash?: string | null;
            destinationTxHash?: string | null;
            /** @description On the origin chain. */
            bridgeRefundTxHash?: string | null;
            Origin?: {
                name: string;
                chainId: number;
                explorerUrl: string | null;
                tokenAddress: string;
                decimals: number;
            };
            contractCall?: components["schemas"]["ContractCall"];
            /** @description In `priceCurrency`, as the create named it. */
            price: string | null;
            priceCurrency: string | null;
            /** @description Units of `priceCurrency` for one whole token, exact. */
            rate: string | null;
            /**
             * Format: date-time
             * @description The time of the rate.
             */
            rateAt: string | null;
            /** @description Where the customer returns once the payment has ended: the URL of the create, with `paymentId`. */
            returnUrl: string | null;
            paymentMode: string;
            /** Format: date-time */
            createdAt: string | null;
            /** @description For `eth_signTypedData_v4`: signed by a customer without coins, and sent to `/payments/{id}/authorize`. `from` is the payer; a `nonce` of null is 32 random bytes. A `PermitWitnessTransferFrom` is of Permit2, which the payer has approved once, and goes as `permit2Authorization`. Absent: not offered. */
            authorization?: {
                typedData: components["schemas"]["PaymentTypedData"];
            };
            /**
             * @description On Solana: a wallet may ask `/payments/solana-pay/{id}` with `feePayer: "service"` for a transaction whose fee the service pays, sign it, and bring it to `/payments/{id}/authorize`.
             * @enum {boolean}
             */
            sponsored?: true;
            explorer: {
                address: string | null;
                transaction: string | null;
            };
            paymentUri: string | null;
            Token: components["schemas"]["PaymentToken"];
            Network: components["schemas"]["PaymentNetwork"];
            Merchant: {
                businessName: string;
            };
            qr?: {
                address: components["schemas"]["QrCode"];
                uri: components["schemas"]["QrCode"] | null;
            };
            orderId: string | null;
            customerEmail: string | null;
            callbackUrl: string | null;
            metadata: {
                [key: string]: string | number | boolean | null;
            };
            /** @description The payment link that a customer made it by. */
            linkId: string | null;
            agentId: string | null;
            agentOwner: string | null;
            /** @description The `reason` of `/payments/fail`, in the words of who ended the payment. */
            failureReason: string | null;
            /**
             * @description Refunded from your own wallet and confirmed: see `/refunds`.
             * @example 25.00
             */
            refundedByMerchant?: string;
            /**
             * @description Refunds that your own wallet has still to pay.
             * @example 25.00
             */
            refundDueByMerchant?: string;
            /** @description Whether `/payments/{paymentId}/accept-late` makes it paid: enough money came too late and is not being refunded. */
            canAcceptLate?: boolean;
            sequence: number;
            /** @description Refunds that your own wallet pays, oldest first. */
            refunds?: components["schemas"]["PublicMerchantRefund"][];
            /**
             * @description Proves that its holder made the payment or was sent its link: needed to name the refund address, or to cancel, without API key and secret. No other answer holds it.
             * @example cs_J0Xl7cB0Qb8l4mPzJb1cV0Yk4c1m2H3xQW8pP6s9a2E
             */
            clientSecret?: string;
            /** @description The page of the payment with its client secret. Null where the service's `publicUrl` is not set, and in the dashboard, where it is shown after the passkey. */
            paymentLink?: string | null;
        };
        VerifyQrCode: {
            /** Format: uuid */
            paymentId: string;
        };
        X402Request: {
            /** @enum {number} */
            x402Version: 2;
            paymentPayload: components["schemas"]["X402Payload"];
            paymentRequirements: components["schemas"]["X402Requirements"];
        };
        X402Payload: {
            /** @enum {number} */
            x402Version: 2;
            accepted: components["schemas"]["X402Requirements"];
            payload: {
                [key: string]: unknown;
            };
            resource?: {
                url: string;
                description?: string;
                mimeType?: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        X402Requirements: {
            scheme: string;
            /** @description CAIP-2, such as `eip155:8453`. */
            network: string;
            asset: string;
            amount: string;
            payTo: string;
            maxTimeoutSeconds?: number;
            extra?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        X402Settlement: {
            success: boolean;
            errorReason?: string;
            errorMessage?: string;
            payer?: string;
            transaction: string;
            network: string;
        };
        X402PaymentRequired: components["schemas"]["Error"] & {
            /** @enum {number} */
            x402Version: 2;
            resource: {
                [key: string]: unknown;
            };
            accepts: components["schemas"]["X402Requirements"][];
        };
        X402Charge: {
            /**
             * @description In whole tokens, exact: at most the decimals of the token. Required, unless `price` is there.
             * @example 25.00
             */
            amount?: number | string;
            /** @description In `priceCurrency`, in place of `amount`: converted at the current rate and rounded up to a cent of the token. Without a fresh rate the create is refused with `NO_RATE`. */
            price?: number | string;
            /** @description ISO 4217 code of the currency of `price`, such as `EUR`. */
            priceCurrency?: string;
            /**
             * @description Symbol of a token that the network has, such as USDC or USDT.
             * @example USDC
             */
            currency: string;
            network: string;
            /** Format: uri */
            resource: string;
            /** @description Identifies the client of your server: its address, or its account with you. Limits then apply to each client. Only a keyed digest is stored, while the payment is open. */
            client?: string;
            /** @description The client's header PAYMENT-SIGNATURE, as it came; left out where it sent none. */
            paymentSignature?: string;
            customerEmail?: string;
            /** Format: uri */
            callbackUrl?: string;
            /**
             * Format: uri
             * @description Where the payment page and the element send the customer once the payment has ended, with `paymentId` in the query.
             * @example https://shop.example/orders/1042
             */
            returnUrl?: string;
            metadata?: {
                [key: string]: string | number | boolean | null;
            };
            agentId?: string;
            agentOwner?: string;
        };
    };
    responses: never;
    parameters: {
        /** @description The same for every attempt: drop what you have seen. */
        WebhookId: string;
        /** @description Unix seconds of this attempt. */
        WebhookTimestamp: string;
        /** @description Entries `v1,…` separated by spaces; one of them must match. */
        WebhookSignature: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listTills: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the tills */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        tills: components["schemas"]["Till"][];
                    };
                };
            };
        };
    };
    createTill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTill"];
            };
        };
        responses: {
            /** @description the till and its link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        till: components["schemas"]["Till"];
                        /**
                         * Format: uri
                         * @description Open it on the device; valid once, for ten minutes.
                         */
                        link: string;
                        qr: components["schemas"]["QrCode"];
                        /** Format: date-time */
                        endsAt: string;
                    };
                };
            };
        };
    };
    createTillPairing: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tillId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        till: components["schemas"]["Till"];
                        /**
                         * Format: uri
                         * @description Open it on the device; valid once, for ten minutes.
                         */
                        link: string;
                        qr: components["schemas"]["QrCode"];
                        /** Format: date-time */
                        endsAt: string;
                    };
                };
            };
        };
    };
    removeTill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tillId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
        };
    };
    updateTill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tillId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeTill"];
            };
        };
        responses: {
            /** @description changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        till: components["schemas"]["Till"];
                    };
                };
            };
        };
    };
    createDeposit: {
        parameters: {
            query?: {
                include?: "qr";
            };
            header?: {
                /** @description A random value of the client. A repeat returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDeposit"];
            };
        };
        responses: {
            /** @description created, or repeated */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        requestId: string;
                        /** Format: date-time */
                        serverTime: string;
                        payment: components["schemas"]["CreatedPayment"];
                    };
                };
            };
        };
    };
    readDepositStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the payment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        payment: components["schemas"]["DepositStatus"];
                    };
                };
            };
        };
    };
    listAgentPolicies: {
        parameters: {
            query?: {
                /** @description Policies for test payments instead of live ones. */
                isTest?: "true" | "false";
                limit?: number;
                /** @description Only agents after this one: `next` of the previous page. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description one page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        policies: components["schemas"]["AgentPolicy"][];
                        /** @description The `after` of the next page; null: there is none. */
                        next: string | null;
                    };
                };
            };
        };
    };
    readAgentPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the policy */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        policy: components["schemas"]["AgentPolicy"] | null;
                        message: string;
                    };
                };
            };
        };
    };
    setAgentPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentPolicyTerms"];
            };
        };
        responses: {
            /** @description the policy */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        policy: components["schemas"]["AgentPolicy"];
                        message: string;
                    };
                };
            };
        };
    };
    removeAgentPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description removed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                    };
                };
            };
        };
    };
    listAgentDecisions: {
        parameters: {
            query?: {
                limit?: number;
                /** @description Only decisions with a lower `sequence`: `next` of the previous page. */
                before?: number;
            };
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the decisions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        decisions: components["schemas"]["AgentDecision"][];
                        /** @description The `before` of the next page; null: there is none. */
                        next: number | null;
                    };
                };
            };
        };
    };
    listRates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the rates and their time */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrencyRates"];
                };
            };
        };
    };
    requestRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestRefund"];
            };
        };
        responses: {
            /** @description accepted, or repeated */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        payment: components["schemas"]["DepositStatus"];
                    };
                };
            };
        };
    };
    listNetworks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All networks of this service */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        networks: components["schemas"]["Network"][];
                    };
                };
            };
        };
    };
    listTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All tokens of all networks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        stablecoins: components["schemas"]["Token"][];
                    };
                };
            };
        };
    };
    listPayableNetworks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Networks that the caller can be paid on now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        networks: components["schemas"]["Network"][];
                    };
                };
            };
        };
    };
    listPayableTokens: {
        parameters: {
            query?: {
                /** @description In `priceCurrency`, in place of `amount`: converted at the current rate and rounded up to a cent of the token. Without a fresh rate the create is refused with `NO_RATE`. */
                price?: number | string;
                /** @description ISO 4217 code of the currency of `price`, such as `EUR`. */
                priceCurrency?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Tokens that the caller can be paid in now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        stablecoins: components["schemas"]["PayableToken"][];
                    };
                };
            };
        };
    };
    listNetworkTokens: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id or its short name. */
                networkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the tokens of the network */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        tokens: components["schemas"]["Token"][];
                    };
                };
            };
        };
    };
    listLinks: {
        parameters: {
            query?: {
                before?: string;
                limit?: number;
                /** @description Test links instead of live ones. Default: the caller’s mode. */
                isTest?: "true" | "false";
                /** @description `false`: without the sales of tills. */
                sales?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a page of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        links: components["schemas"]["PaymentLink"][];
                        /** @description `before` of the next page; null on the last page. */
                        next: string | null;
                    };
                };
            };
        };
    };
    createLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description A random value of the client. A repeat returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateLink"];
            };
        };
        responses: {
            /** @description created, or repeated */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        link: components["schemas"]["PaymentLink"];
                    };
                };
            };
        };
    };
    readLink: {
        parameters: {
            query?: {
                include?: "qr";
            };
            header?: never;
            path: {
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        link: components["schemas"]["PaymentLink"] & {
                            qr?: components["schemas"]["QrCode"];
                        };
                    };
                };
            };
        };
    };
    endLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description ended */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        link: components["schemas"]["PaymentLink"];
                    };
                };
            };
        };
    };
    readPublicLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        link: components["schemas"]["PublicPaymentLink"];
                    };
                };
            };
        };
    };
    listLinkTokens: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Tokens that can be paid in now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        stablecoins: components["schemas"]["PayableToken"][];
                    };
                };
            };
        };
    };
    createLinkPayment: {
        parameters: {
            query?: {
                include?: "qr";
            };
            header?: {
                /** @description A random value of the client. A repeat returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                linkId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkChoice"];
            };
        };
        responses: {
            /** @description created, or repeated */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        requestId: string;
                        /** Format: date-time */
                        serverTime: string;
                        payment: components["schemas"]["CreatedPayment"];
                    };
                };
            };
        };
    };
    pairTill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
        };
    };
    readTill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the till */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        till: components["schemas"]["OwnTill"];
                    };
                };
            };
        };
    };
    openTill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example 204816 */
                    pin: string;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
        };
    };
    lockTill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
        };
    };
    listSales: {
        parameters: {
            query: {
                since: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the sales */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        sales: components["schemas"]["Sale"][];
                        /** @description Totals of the paid sales in the list. */
                        totals: {
                            currency: string;
                            /** @example 25.00 */
                            amount: string;
                            sales: number;
                        }[];
                        /** @description False if the list omits older sales of that time. */
                        isComplete: boolean;
                    };
                };
            };
        };
    };
    createSale: {
        parameters: {
            query?: never;
            header?: {
                /** @description A random value of the client. A repeat returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSale"];
            };
        };
        responses: {
            /** @description the sale */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        sale: components["schemas"]["Sale"];
                    };
                };
            };
        };
    };
    readSale: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                saleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the sale */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        sale: components["schemas"]["Sale"];
                    };
                };
            };
        };
    };
    cancelSale: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                saleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the updated sale */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        sale: components["schemas"]["Sale"];
                    };
                };
            };
        };
    };
    listDepositChains: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the same chains in two forms */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        networks: {
                            name: string;
                            shortName: string;
                            chainId?: number;
                            tokens: string[];
                        }[];
                        chains: {
                            chainId: number;
                            name: string;
                            shortName: string;
                            confirmations: number;
                        }[];
                    };
                };
            };
        };
    };
    listCrossChainSources: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the chains */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** @description Empty where this service has no bridge. */
                        sources: {
                            chainId: number;
                            name: string;
                            /**
                             * Format: uri
                             * @example https://pay.example.com/logos/networks/base.svg
                             */
                            logo: string | null;
                            currencies: string[];
                            tokens: {
                                symbol: string;
                                address: string;
                                decimals: number;
                                /**
                                 * Format: uri
                                 * @example https://pay.example.com/logos/networks/base.svg
                                 */
                                logo: string | null;
                            }[];
                            /**
                             * @description Whole tokens. The bridge may require more.
                             * @example 1.00
                             */
                            minimumAmount: string;
                        }[];
                        /** @description Networks and tokens of payments that a customer can pay from another chain. A payment in any other is paid on its own network. */
                        destinations: {
                            chainId: number;
                            /**
                             * @description Its `shortName`
                             * @example base
                             */
                            network: string;
                            name: string;
                            currencies: string[];
                        }[];
                        message: string;
                    };
                };
            };
        };
    };
    readPaymentHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the networks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /**
                         * @description All, some or none of the networks can be paid on.
                         * @enum {string}
                         */
                        status: "ok" | "degraded" | "down";
                        networks: {
                            shortName: string;
                            healthy: boolean;
                            reason: string | null;
                            /** @description The gas balance for payouts. `low`: fewer than 50 payouts left; `empty`: payouts wait for a refill. Null: not read, or not needed. */
                            gasBalance: {
                                /** @enum {string} */
                                state: "ok" | "low" | "empty";
                                address: string;
                                balance: string;
                                needed: string;
                                currency: string;
                                message: string;
                            } | null;
                        }[];
                    };
                };
            };
        };
    };
    readContract: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                chainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the contract; where there is none, `success` is false, and `message` says why */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        contractInfo: {
                            address: string;
                            abi: {
                                [key: string]: unknown;
                            }[];
                            chainId: number;
                        };
                    } | components["schemas"]["Error"];
                };
            };
        };
    };
    createContractPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A random value of the client. A repeat returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePayment"];
            };
        };
        responses: {
            /** @description created, or repeated */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        requestId: string;
                        amount: number;
                        /** Format: date-time */
                        serverTime: string;
                        payment: components["schemas"]["ContractPayment"];
                    };
                };
            };
        };
    };
    processPayment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProcessPayment"];
            };
        };
        responses: {
            /** @description the payment is paid */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        isAlreadyCompleted: boolean;
                        payment: components["schemas"]["PaymentStatus"];
                    };
                };
            };
        };
    };
    readSolanaPayRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the label and icon that the wallet shows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        label: string;
                        icon: string;
                    };
                };
            };
        };
    };
    createSolanaPayTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SolanaPayRequest"];
            };
        };
        responses: {
            /** @description an unsigned transaction of that account, in base64. If the service pays the fee, sign the transaction and post it to `/payments/{id}/authorize` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        transaction: string;
                        message: string;
                    };
                };
            };
        };
    };
    authorizePayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthorizePayment"];
            };
        };
        responses: {
            /** @description `accepted`: a block has the transaction. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** @enum {string} */
                        state: "accepted" | "pending";
                        transactionHash: string | null;
                        message: string;
                    };
                };
            };
            /** @description `pending`: stored, and sent or about to be. Follow the payment. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** @enum {string} */
                        state: "accepted" | "pending";
                        transactionHash: string | null;
                        message: string;
                    };
                };
            };
        };
    };
    createCrossChainPayment: {
        parameters: {
            query?: {
                include?: "qr";
            };
            header?: {
                /** @description A random value of the client. A repeat returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCrossChainPayment"];
            };
        };
        responses: {
            /** @description created, or repeated */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        requestId: string;
                        /** Format: date-time */
                        serverTime: string;
                        payment: components["schemas"]["CrossChainPayment"];
                    };
                };
            };
        };
    };
    readCrossChainStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the payment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        payment: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            paymentId: string;
                            /** @enum {string} */
                            status: "pending" | "completed" | "sweeping" | "swept" | "sweep_failed" | "expired" | "cancelled" | "failed";
                            /** @enum {string} */
                            outcome: "pending" | "paid" | "failed";
                            isFinal: boolean;
                            /** @enum {string} */
                            paymentState: "awaiting" | "underpaid" | "completed" | "overpaid_refunding" | "expired_refunding";
                            settlement: {
                                /** @enum {string} */
                                state: "" | "pending" | "settling" | "delayed" | "settled" | "failed";
                                message: string;
                            };
                            /** @example 25.00 */
                            amount: string;
                            /** @example 25.00 */
                            amountReceived: string | null;
                            currency: string;
                            network: string;
                            transactionHash: string | null;
                            depositTxHash: string | null;
                            sweepTxHash: string | null;
                            confirmations: number;
                            requiredConfirmations: number;
                            /** Format: date-time */
                            detectedAt: string | null;
                            /** Format: date-time */
                            confirmedAt: string | null;
                            /** Format: date-time */
                            expiresAt: string | null;
                            /** @enum {string|null} */
                            bridgeStatus: "waiting" | "depositing" | "pending" | "submitted" | "delayed" | "success" | "refund" | "failure" | null;
                            isTest: boolean;
                            sandbox: boolean;
                            /** @description Where the customer sends to, on the origin chain. */
                            relayDepositAddress?: string;
                            /**
                             * @description In the origin token's smallest unit: exactly this much.
                             * @example 25100000
                             */
                            amountToSend?: string;
                            /** @example 25.10 */
                            amountToSendFormatted?: string;
                            originChainId?: number;
                            originCurrency?: string;
                            /** @description What the merchant receives, and where. */
                            destination?: {
                                network: string;
                                currency: string;
                                amount: string;
                                address: string;
                            };
                            /** @description The progress in words, for the customer. */
                            bridgeMessage?: string;
                            /** @description The relay's reason for returning the money. */
                            bridgeReason?: string | null;
                            originTxHash?: string | null;
                            destinationTxHash?: string | null;
                            /** @description On the origin chain. */
                            bridgeRefundTxHash?: string | null;
                            Origin?: {
                                name: string;
                                chainId: number;
                                explorerUrl: string | null;
                                tokenAddress: string;
                                decimals: number;
                            };
                        };
                    };
                };
            };
        };
    };
    listRefundsOfPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        refunds: components["schemas"]["MerchantRefund"][];
                        /**
                         * @description The sum that another refund may have.
                         * @example 25.00
                         */
                        refundable: string;
                    };
                };
            };
        };
    };
    requestMerchantRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description A random value of the client. A repeat returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestMerchantRefund"];
            };
        };
        responses: {
            /** @description requested, or repeated */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        refund: components["schemas"]["MerchantRefund"];
                    };
                };
            };
        };
    };
    listMerchantRefunds: {
        parameters: {
            query?: {
                /** @description `open`: neither paid nor cancelled. */
                status?: "all" | "open" | "awaiting_address" | "to_pay" | "confirming" | "paid" | "cancelled";
                /** @description `next` of the page before. */
                before?: number;
                limit?: number;
                isTest?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a page of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        refunds: components["schemas"]["MerchantRefund"][];
                        next: string | null;
                    };
                };
            };
        };
    };
    readPublicMerchantRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                refundId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the refund */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        refund: components["schemas"]["PublicMerchantRefund"];
                    };
                };
            };
        };
    };
    readMerchantRefund: {
        parameters: {
            query?: {
                include?: "qr";
            };
            header?: never;
            path: {
                refundId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the refund */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        refund: components["schemas"]["MerchantRefund"];
                    };
                };
            };
        };
    };
    nameMerchantRefundAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                refundId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NameMerchantRefundAddress"];
            };
        };
        responses: {
            /** @description named, or repeated */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        refund: components["schemas"]["PublicMerchantRefund"];
                    };
                };
            };
        };
    };
    cancelMerchantRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                refundId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description cancelled, or repeated */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        refund: components["schemas"]["MerchantRefund"];
                    };
                };
            };
        };
    };
    verifyMerchantRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                refundId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyMerchantRefund"];
            };
        };
        responses: {
            /** @description the transaction counts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        refund: components["schemas"]["MerchantRefund"];
                    };
                };
            };
        };
    };
    promptRefundWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PromptRefundWallet"];
            };
        };
        responses: {
            /** @description ask the wallet now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        prompt: {
                            /** Format: uuid */
                            id: string;
                            /** @description On Solana: the unsigned transaction in base64. Null: send `call` of each refund, or a transfer. */
                            transaction: string | null;
                        };
                        refunds: components["schemas"]["MerchantRefund"][];
                    };
                };
            };
        };
    };
    reportRefundPrompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                promptId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportRefundPrompt"];
            };
        };
        responses: {
            /** @description stored */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
        };
    };
    releaseRefundPrompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                promptId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description ended */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
        };
    };
    failPayment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FailPayment"];
            };
        };
        responses: {
            /** @description recorded, or skipped */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        status: "pending" | "completed" | "sweeping" | "swept" | "sweep_failed" | "expired" | "cancelled" | "failed";
                        skipped: boolean;
                    };
                };
            };
        };
    };
    acceptLatePayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description accepted, or repeated */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        payment: components["schemas"]["Payment"];
                    };
                };
            };
        };
    };
    readKeyOrigins: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the origins */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** @description Scheme and host, with its port if there is one. Empty: the live public key is accepted from any page. */
                        origins: string[];
                    };
                };
            };
        };
    };
    setKeyOrigins: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyOrigins"];
            };
        };
        responses: {
            /** @description the origins */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** @description Scheme and host, with its port if there is one. Empty: the live public key is accepted from any page. */
                        origins: string[];
                    };
                };
            };
        };
    };
    listMerchantPayments: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                search?: string;
                status?: string;
                currency?: string;
                startDate?: string;
                endDate?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description one page */
            200: {
                headers: {
                    /** @description Sent to public keys, for which this operation is deprecated. */
                    Deprecation?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        payments: {
                            data: {
                                /**
                                 * Format: uuid
                                 * @description Null for a public key.
                                 */
                                id: string | null;
                                /** @example 25.00 */
                                amount: string;
                                currency: string;
                                network: string;
                                /** @enum {string} */
                                status: "pending" | "completed" | "sweeping" | "swept" | "sweep_failed" | "expired" | "cancelled" | "failed";
                                /** @enum {string} */
                                outcome: "pending" | "paid" | "failed";
                                orderId: string | null;
                                transactionHash: string | null;
                                /** Format: date-time */
                                createdAt: string;
                                price: string | null;
                                priceCurrency: string | null;
                                /** @description Units of `priceCurrency` for one whole token. */
                                rate: string | null;
                                /** Format: date-time */
                                rateAt: string | null;
                            }[];
                            totalCount: number;
                            totalPages: number;
                            currentPage: number;
                        };
                        filters: {
                            currencies: string[];
                            statuses: string[];
                        };
                        /** @description Why the list is empty for a public key. */
                        message?: string;
                    };
                };
            };
        };
    };
    readMerchantStats: {
        parameters: {
            query?: {
                startDate?: string;
                endDate?: string;
                statusFilter?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the numbers */
            200: {
                headers: {
                    /** @description Sent to public keys, for which this operation is deprecated. */
                    Deprecation?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        stats: {
                            totalPayments: number;
                            completedPayments: number;
                            pendingPayments: number;
                            failedPayments: number;
                            agentPayments: number;
                            /**
                             * @description Of tokens that stand for the US dollar.
                             * @example 25.00
                             */
                            totalAmount: string;
                            /**
                             * @description Of tokens that stand for the US dollar.
                             * @example 25.00
                             */
                            averageAmount: string;
                            /** @description The amounts of each currency; different currencies are never added. */
                            byCurrency: {
                                /** @description ISO 4217 code of the currency that the tokens stand for. */
                                currency: string;
                                completedPayments: number;
                                /** @example 25.00 */
                                totalAmount: string;
                                /** @example 25.00 */
                                averageAmount: string;
                            }[];
                            isNairaMerchant: boolean;
                        };
                        /** @description Why the list is empty for a public key. */
                        message?: string;
                    };
                };
            };
        };
    };
    readSystem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the state */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        version: string;
                        ready: boolean;
                        /** @description Why it is not ready. */
                        reasons: string[];
                        /** @description The same reasons as codes, in order. */
                        reasonCodes: ("stopping" | "database" | "replaced" | "noNetwork" | "noPayableNetwork")[];
                        networks: {
                            network: string;
                            name: string;
                            isTestnet: boolean;
                            payable: boolean;
                            reason: string | null;
                            /** @description `deploy <network>` deploys them. */
                            contractsMissing: boolean;
                            /** @description The newest that was fully applied. */
                            block: number | null;
                            /** @description The age of that block. */
                            lagSeconds: number | null;
                            /** @description Whether the process, or a replica, watches the network now. */
                            watched: boolean;
                            nodes: {
                                /**
                                 * @description The replica that reports this state; null: there is one process.
                                 * @example checkout-1 · 3f6c0a52
                                 */
                                replica: string | null;
                                name: string;
                                host: string;
                                /** @enum {string} */
                                state: "ok" | "down" | "quarantine";
                                reason: string | null;
                                /** Format: date-time */
                                until: string | null;
                            }[];
                            gas: {
                                /** @enum {string} */
                                state: "ok" | "low" | "empty";
                                address: string;
                                balance: string;
                                needed: string;
                                currency: string;
                                message: string;
                            } | null;
                        }[];
                        queues: {
                            /**
                             * @description `payments`: in their window. `sweeps`, `refunds`, `returns`: payouts that are not final. `webhooks`: deliveries that are due. `transactions`: sent, and not final.
                             * @enum {string}
                             */
                            name: "payments" | "sweeps" | "refunds" | "returns" | "webhooks" | "transactions";
                            network: string | null;
                            /** @description Counted up to 100000. */
                            count: number;
                            /** @description Those that have failed before. */
                            failing: number;
                            /** @description Sweeps that wait for cheaper gas. */
                            deferred: number;
                            /** @description Since the oldest was due; null where nothing is late. */
                            oldestSeconds: number | null;
                        }[];
                        /** @enum {string} */
                        database: "sqlite" | "postgres";
                        /** @description Of PostgreSQL: the processes that share the database. */
                        replicas: {
                            id: string;
                            version: string;
                            host: string;
                            /** Format: date-time */
                            startedAt: string;
                            /** @description Whole seconds. */
                            silentSeconds: number;
                            /** @description Networks that it works for; `*` is the work for all. */
                            leases: string[];
                        }[];
                        /** @description The newest of the command `backup`; null: none, or the database is PostgreSQL. */
                        backup: {
                            /** Format: date-time */
                            madeAt: string;
                            /** @description Whole seconds. */
                            ageSeconds: number;
                            bytes: number;
                        } | null;
                    };
                };
            };
        };
    };
    runDoctor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the findings */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** Format: date-time */
                        at: string;
                        findings: {
                            check: string;
                            subject: string;
                            /** @enum {string} */
                            state: "good" | "warning" | "bad";
                            says: string;
                            fix: string | null;
                            /**
                             * @description The check and its result. The values of its sentence are in `values`.
                             * @example gas.good
                             */
                            code: string;
                            values: string[];
                            /** @description `subject` as a code with values; null: it is a name in any language. */
                            place: {
                                /** @enum {string} */
                                code: "node" | "platform" | "replica" | "replicas" | "work";
                                values: string[];
                            } | null;
                        }[];
                    };
                };
            };
        };
    };
    deployContracts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The short name of a network.
                     * @example base
                     */
                    network: string;
                };
            };
        };
        responses: {
            /** @description the result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        network: string;
                        /**
                         * @description `present`: nothing was missing. `underWay`: the blocks are slow, and the deployment continues.
                         * @enum {string}
                         */
                        state: "deployed" | "present" | "underWay";
                    };
                };
            };
        };
    };
    retryPayouts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The short name of a network.
                     * @example base
                     */
                    network: string;
                    /**
                     * @description `failed`: payouts that failed and wait for their next attempt. `deferred`: sweeps that wait for cheaper gas; they are sent whatever it costs. `parked`: shares of the platform that could not be paid.
                     * @enum {string}
                     */
                    waiting: "failed" | "deferred" | "parked";
                };
            };
        };
        responses: {
            /** @description the payouts are due now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /**
                         * @description Those that were made due, at most 1000 at a time.
                         * @example 2
                         */
                        count: number;
                    };
                };
            };
        };
    };
    readSummaryReport: {
        parameters: {
            query: {
                from: string;
                /** @description Included; at most 91 days after `from`. */
                to: string;
                /** @description Where days begin: a name of the IANA database. */
                timeZone?: string;
                /** @description Test payments instead of live ones. */
                isTest?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the sums */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        from: string;
                        to: string;
                        timeZone: string;
                        isTest: boolean;
                        /** @description By the day of the creation, network and token; days without a payment are left out. */
                        days: {
                            day: string;
                            network: string;
                            currency: string;
                            decimals: number;
                            created: number;
                            /** @description Of `created`. */
                            paid: number;
                            /**
                             * @description Confirmed, in base units; late money too.
                             * @example 1500000
                             */
                            received: string;
                            /**
                             * @description Base units: with 6 decimals, "1500000" is 1.50.
                             * @example 1500000
                             */
                            refunded: string;
                            /**
                             * @description Refunds of paid payments from the merchant's own wallet, confirmed.
                             * @example 1500000
                             */
                            refundedByMerchant: string;
                        }[];
                        totals: {
                            network: string;
                            currency: string;
                            decimals: number;
                            created: number;
                            /** @description Of `created`. */
                            paid: number;
                            /**
                             * @description Confirmed, in base units; late money too.
                             * @example 1500000
                             */
                            received: string;
                            /**
                             * @description Base units: with 6 decimals, "1500000" is 1.50.
                             * @example 1500000
                             */
                            refunded: string;
                            /**
                             * @description Refunds of paid payments from the merchant's own wallet, confirmed.
                             * @example 1500000
                             */
                            refundedByMerchant: string;
                        }[];
                        created: number;
                        paid: number;
                        /** @description Of `created` the part that is paid, in basis points, rounded down; null without a payment. */
                        conversionBps: number | null;
                    };
                };
            };
        };
    };
    readAttentionReport: {
        parameters: {
            query?: {
                /** @description Test payments instead of live ones. */
                isTest?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description open actions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        payments: {
                            /**
                             * @description `payout_failed`, `refund_failed`, `return_failed`: it keeps failing. `late_held`: the full amount arrived late; accept or return it. `refund_address`: a refund is due and has no address. `unmatched`: an unmatched transfer has no address. `merchant_refund`: your own wallet has a refund to pay, or the customer has named no address. `excess_owed`: your own wallet received money that is owed to the customer; request a refund.
                             * @enum {string}
                             */
                            attention: "payout_failed" | "refund_failed" | "late_held" | "refund_address" | "return_failed" | "unmatched" | "merchant_refund" | "excess_owed";
                            /** @description Counted up to 1000. */
                            count: number;
                            newest: {
                                /** Format: uuid */
                                id: string;
                                orderId: string | null;
                                network: string;
                                currency: string;
                                /**
                                 * @description The price of the payment.
                                 * @example 25.00
                                 */
                                amount: string;
                                /** @description The money that waits for the action, and whose it is. */
                                owed: {
                                    /** @enum {string} */
                                    to: "merchant" | "customer";
                                    /** @example 25.00 */
                                    amount: string;
                                    currency: string;
                                    network: string;
                                }[];
                                /** @description Of `merchant_refund`: no refund can be paid yet, because the customer has named no address. */
                                awaitsAddress: boolean;
                                /** Format: date-time */
                                createdAt: string;
                            }[];
                        }[];
                        /** @description Webhook endpoints that were disabled automatically or fail. */
                        endpoints: {
                            id: string;
                            url: string;
                            /** @enum {string|null} */
                            disabledReason: "gone" | "failing" | null;
                            /** Format: date-time */
                            disabledAt: string | null;
                            /** Format: date-time */
                            failingSince: string | null;
                        }[];
                        /** @description Payout accounts with a low gas balance. */
                        gas: {
                            network: string;
                            /** @enum {string} */
                            state: "low" | "empty";
                            address: string;
                            qr: components["schemas"]["QrCode"] & unknown;
                            balance: string;
                            needed: string;
                            currency: string;
                            message: string;
                        }[];
                        /** @description Networks with a wallet of the merchant that cannot be paid on now. */
                        networks: {
                            network: string;
                            name: string;
                            reason: string;
                        }[];
                        /** @description Onboarding progress of a new merchant. */
                        setup: {
                            networks: number;
                            wallets: number;
                            payments: boolean;
                            endpoints: number;
                        };
                    };
                };
            };
        };
    };
    readMonthReport: {
        parameters: {
            query: {
                month: string;
                /** @description Where days begin: a name of the IANA database. */
                timeZone?: string;
                /** @description Test payments instead of live ones. */
                isTest?: "true" | "false";
            };
            header?: {
                /** @description RFC 7240: `wait=10` responds within ten seconds, with 202 if the month is not read yet. Without it, the response waits until it is. */
                prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the month */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        month: string;
                        timeZone: string;
                        isTest: boolean;
                        days: {
                            day: string;
                            network: string;
                            currency: string;
                            decimals: number;
                            payments: number;
                            paid: number;
                            /**
                             * @description Base units: with 6 decimals, "1500000" is 1.50.
                             * @example 1500000
                             */
                            received: string;
                            /**
                             * @description Base units: with 6 decimals, "1500000" is 1.50.
                             * @example 1500000
                             */
                            receivedLate: string;
                            /**
                             * @description The merchant's part of paid payments.
                             * @example 1500000
                             */
                            merchantAmount: string;
                            /**
                             * @description Base units: with 6 decimals, "1500000" is 1.50.
                             * @example 1500000
                             */
                            platformFee: string;
                            /**
                             * @description The part of `merchantAmount` that has arrived in the wallet.
                             * @example 1500000
                             */
                            paidOut: string;
                            /**
                             * @description Base units: with 6 decimals, "1500000" is 1.50.
                             * @example 1500000
                             */
                            refunded: string;
                            /**
                             * @description Base units: with 6 decimals, "1500000" is 1.50.
                             * @example 1500000
                             */
                            owedToPayer: string;
                            /**
                             * @description Refunds of paid payments from the merchant's own wallet, confirmed.
                             * @example 1500000
                             */
                            refundedByMerchant: string;
                            /**
                             * @description Such refunds that are still to be paid.
                             * @example 1500000
                             */
                            refundDueByMerchant: string;
                            /**
                             * @description Unmatched transfers that went back.
                             * @example 1500000
                             */
                            returned: string;
                        }[];
                        totals: {
                            network: string;
                            currency: string;
                            decimals: number;
                            payments: number;
                            paid: number;
                            /**
                             * @description Base units: with 6 decimals, "1500000" is 1.50.
                             * @example 1500000
                             */
                            received: string;
                            /**
                             * @description Base units: with 6 decimals, "1500000" is 1.50.
                             * @example 1500000
                             */
                            receivedLate: string;
                            /**
                             * @description The merchant's part of paid payments.
                             * @example 1500000
                             */
                            merchantAmount: string;
                            /**
                             * @description Base units: with 6 decimals, "1500000" is 1.50.
                             * @example 1500000
                             */
                            platformFee: string;
                            /**
                             * @description The part of `merchantAmount` that has arrived in the wallet.
                             * @example 1500000
                             */
                            paidOut: string;
                            /**
                             * @description Base units: with 6 decimals, "1500000" is 1.50.
                             * @example 1500000
                             */
                            refunded: string;
                            /**
                             * @description Base units: with 6 decimals, "1500000" is 1.50.
                             * @example 1500000
                             */
                            owedToPayer: string;
                            /**
                             * @description Refunds of paid payments from the merchant's own wallet, confirmed.
                             * @example 1500000
                             */
                            refundedByMerchant: string;
                            /**
                             * @description Such refunds that are still to be paid.
                             * @example 1500000
                             */
                            refundDueByMerchant: string;
                            /**
                             * @description Unmatched transfers that went back.
                             * @example 1500000
                             */
                            returned: string;
                        }[];
                    };
                };
            };
            /** @description The report was not complete within the time of `Prefer`; call again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        progress: {
                            /** @description Payments added up so far. The next call continues from here. */
                            read: number;
                            /** @description Payments of the month. */
                            payments: number;
                        };
                    };
                };
            };
        };
    };
    exportMonthReport: {
        parameters: {
            query: {
                month: string;
                /** @description Where days begin: a name of the IANA database. */
                timeZone?: string;
                /** @description Test payments instead of live ones. */
                isTest?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description one line for each day, network and token */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example day,network,currency,payments,paid,received,receivedLate,merchantAmount,platformFee,paidOut,refunded,owedToPayer,returned
                     *     2026-11-21,base,USDC,4,3,75.00,0.00,73.875,1.125,73.875,0.00,0.00,0.00
                     */
                    "text/csv": string;
                };
            };
        };
    };
    listRefusedCalls: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the calls */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            /** Format: date-time */
                            at: string;
                            requestId: string;
                            method: string;
                            route: string;
                            status: number;
                            code: string;
                            field: string | null;
                        }[];
                    };
                };
            };
        };
    };
    createSandboxPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A random value of the client. A repeat returns the first response, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSandboxPayment"];
            };
        };
        responses: {
            /** @description created, or repeated */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        payment: components["schemas"]["SandboxPayment"];
                    };
                };
            };
        };
    };
    simulatePayment: {
        parameters: {
            query?: {
                /** @description Seconds by which the payment's test clock is moved before the action. */
                advance?: number;
            };
            header?: never;
            path: {
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulatePayment"];
            };
        };
        responses: {
            /** @description the payment after it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        payment: components["schemas"]["PaymentStatus"];
                    };
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description all of them, oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        endpoints: components["schemas"]["WebhookEndpoint"][];
                    };
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhookEndpoint"];
            };
        };
        responses: {
            /** @description added */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        endpoint: components["schemas"]["WebhookEndpoint"];
                        /**
                         * @description Shown once.
                         * @example whsec_…
                         */
                        secret: string;
                    };
                };
            };
        };
    };
    readWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the endpoint */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        endpoint: components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
        };
    };
    removeWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description removed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                    };
                };
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointChanges"];
            };
        };
        responses: {
            /** @description changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        endpoint: components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
        };
    };
    rotateEndpointSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecretRotation"];
            };
        };
        responses: {
            /** @description replaced */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        endpoint: components["schemas"]["WebhookEndpoint"];
                        /**
                         * @description Shown once.
                         * @example whsec_…
                         */
                        secret: string;
                    };
                };
            };
        };
    };
    rotateCallbackSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecretRotation"];
            };
        };
        responses: {
            /** @description replaced */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /**
                         * @description Shown once.
                         * @example whsec_…
                         */
                        secret: string;
                        /** Format: date-time */
                        previousSecretExpiresAt: string | null;
                    };
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                endpointId?: string;
                paymentId?: string;
                type?: "payment.created" | "payment.detected" | "payment.underpaid" | "payment.completed" | "payment.overpaid" | "payment.late" | "payment.reorged" | "payment.expired" | "payment.cancelled" | "payment.failed" | "deposit.swept" | "deposit.sweep_failed" | "deposit.refunded" | "deposit.unmatched_received" | "deposit.unmatched_refunded" | "bridge.moved" | "refund.requested" | "refund.paid" | "refund.failed" | "webhook.test";
                state?: "due" | "delivered" | "failed";
                /** @description Only deliveries that were created at this time or later. */
                since?: string;
                /** @description Test payments instead of live ones. */
                isTest?: "true" | "false";
                before?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description one page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        deliveries: components["schemas"]["WebhookDelivery"][];
                        /** @description The `before` of the next page; null at the end. A page is short if few of 10,000 examined deliveries passed the filters. */
                        next: string | null;
                    };
                };
            };
        };
    };
    readDeliveryRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the request, without secrets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        request: components["schemas"]["WebhookRequest"];
                    };
                };
            };
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the delivery is due */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        delivery: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
        };
    };
    replayWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookReplay"];
            };
        };
        responses: {
            /** @description the deliveries are due */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        replayed: number;
                        /** @description Not null: more remain; pass it as `after` in the next call. */
                        next: string | null;
                    };
                };
            };
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the delivery is due */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        delivery: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                after?: string;
                /** @description Separated by commas. Default: all. */
                types?: string;
                /** @description Test payments instead of live ones. */
                isTest?: "true" | "false";
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description one page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        events: components["schemas"]["FeedEvent"][];
                        /** @description Store it, and pass it as `after` in the next call. */
                        next: string;
                        hasMore: boolean;
                    };
                };
            };
        };
    };
    mailReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MailReceipt"];
            };
        };
        responses: {
            /** @description queued */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
        };
    };
    showPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** @example https://pay.example/pay/7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11#client_secret=cs_J0Xl7cB0Qb8l4mPz */
                        link: string;
                    };
                };
            };
        };
    };
    showRefundLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                refundId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** @example https://pay.example/pay/7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11#client_secret=cs_J0Xl7cB0Qb8l4mPz */
                        link: string;
                    };
                };
            };
        };
    };
    readPaymentStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the payment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        payment: components["schemas"]["PaymentStatus"];
                    };
                };
            };
        };
    };
    readStatusOfPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the payment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        payment: components["schemas"]["PaymentStatus"];
                    };
                };
            };
        };
    };
    readPublicPayment: {
        parameters: {
            query?: {
                include?: "qr";
            };
            header?: never;
            path: {
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the payment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** Format: date-time */
                        serverTime: string;
                        payment: components["schemas"]["PublicPayment"];
                    };
                };
            };
        };
    };
    readReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What create returned; may stand in place of a key. */
                    clientSecret?: string;
                };
            };
        };
        responses: {
            /** @description the receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        receipt: components["schemas"]["Receipt"];
                    };
                };
            };
        };
    };
    followPayment: {
        parameters: {
            query?: {
                include?: "qr";
            };
            header?: never;
            path: {
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events named `payment`; their data is the response of `/payments/public/{paymentId}`, the first at once. The stream ends when nothing more will change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example event: payment
                     *     id: 3
                     *     data: {"success":true,"payment":{"outcome":"paid"}}
                     */
                    "text/event-stream": string;
                };
            };
            /** @description nothing has changed since the event that the client names by Last-Event-ID, nor will it */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    countPayments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the counts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        counts: components["schemas"]["PaymentCounts"];
                    };
                };
            };
        };
    };
    searchPayments: {
        parameters: {
            query?: {
                status?: "pending" | "completed" | "sweeping" | "swept" | "sweep_failed" | "expired" | "cancelled" | "failed" | "paid";
                network?: string;
                currency?: string;
                attention?: "payout_failed" | "refund_failed" | "late_held" | "refund_address" | "return_failed" | "unmatched" | "merchant_refund" | "excess_owed";
                /** @description `partly_paid`: open, and a part has arrived. `overpaid`: more than the amount arrived in time. `late`: some arrived too late. `refunded`: some went back. `to_do`: with an `attention`. */
                kind?: "partly_paid" | "overpaid" | "late" | "refunded" | "to_do";
                /** @description Created at this time or later. */
                from?: string;
                /** @description Created before this time. */
                until?: string;
                amountMin?: string;
                amountMax?: string;
                search?: string;
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description one page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        payments: components["schemas"]["FoundPayment"][];
                        /** @description The `after` of the next page; null at the end. */
                        next: string | null;
                        /** @description The page is short because few of 10,000 examined payments passed the filters and the search. More may follow after `next`. */
                        isCut: boolean;
                    };
                };
            };
        };
    };
    followPayments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events named `payments`, the first at once, later ones at most once a second. Read the list again after each. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example event: payments
                     *     data: {"newest":"1795262476000-3"}
                     */
                    "text/event-stream": string;
                };
            };
        };
    };
    readPaymentHistory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the history */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** @description What merchant and platform get of a paid payment, as the contracts share it; zero until it is paid. */
                        shares: {
                            /** @example 25.00 */
                            merchant: string;
                            /** @example 25.00 */
                            fee: string;
                        };
                        history: components["schemas"]["HistoryEntry"][];
                    };
                };
            };
        };
    };
    readPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the payment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        payment: components["schemas"]["PaymentRecord"];
                    };
                };
            };
        };
    };
    verifyQrCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyQrCode"];
            };
        };
        responses: {
            /** @description read `verified` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        verified: boolean;
                        error: string | null;
                        message: string;
                        payment: components["schemas"]["PaymentStatus"] | null;
                        onChainData: {
                            transactionHash: string;
                            from: string | null;
                        } | null;
                    };
                };
            };
        };
    };
    readDepositBalance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description whole tokens, confirmed or not */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** @example 25.00 */
                        balance: string;
                        isComplete: boolean;
                        currency: string;
                    };
                };
            };
        };
    };
    listX402Kinds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description schemes and networks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        kinds: {
                            /** @enum {number} */
                            x402Version: 2;
                            scheme: string;
                            network: string;
                            /** @description On Solana: `feePayer`, which the client signs beside. */
                            extra?: {
                                [key: string]: string;
                            };
                        }[];
                        extensions: string[];
                        signers: {
                            [key: string]: string[];
                        };
                    };
                };
            };
        };
    };
    verifyX402Payment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["X402Request"];
            };
        };
        responses: {
            /** @description read `isValid` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        isValid: boolean;
                        invalidReason?: string;
                        invalidMessage?: string;
                        payer?: string;
                    };
                };
            };
        };
    };
    settleX402Payment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["X402Request"];
            };
        };
        responses: {
            /** @description read `success` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["X402Settlement"];
                };
            };
        };
    };
    createX402Charge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["X402Charge"];
            };
        };
        responses: {
            /** @description The request is paid: serve it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** Format: date-time */
                        serverTime: string;
                        payment: components["schemas"]["PublicPayment"];
                    };
                };
            };
            /** @description `settlement_pending`: sent, or about to be. Ask again with the same proof. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** @enum {string} */
                        state: "settlement_pending";
                        transactionHash: string | null;
                        message: string;
                    };
                };
            };
        };
    };
    payByX402: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment is paid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** Format: date-time */
                        serverTime: string;
                        payment: components["schemas"]["PublicPayment"];
                    };
                };
            };
            /** @description `settlement_pending`: sent, or about to be. Ask again with the same proof. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** @enum {string} */
                        state: "settlement_pending";
                        transactionHash: string | null;
                        message: string;
                    };
                };
            };
        };
    };
    postX402Payment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment is paid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** Format: date-time */
                        serverTime: string;
                        payment: components["schemas"]["PublicPayment"];
                    };
                };
            };
            /** @description `settlement_pending`: sent, or about to be. Ask again with the same proof. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** @enum {string} */
                        state: "settlement_pending";
                        transactionHash: string | null;
                        message: string;
                    };
                };
            };
        };
    };
    readHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the process is alive */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** @enum {string} */
                        status: "ok";
                    };
                };
            };
        };
    };
    readReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the process accepts requests */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        ready: boolean;
                        reasons: string[];
                    };
                };
            };
        };
    };
    listVersions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the versions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        versions: {
                            version: string;
                            /** @description `current`, or `deprecated`: responses then carry the header `Sunset` with the end date. */
                            status: string;
                        }[];
                        /** @description The version of paths without a version. */
                        current: string;
                        /** @description The version that answered this request. */
                        resolved: string;
                    };
                };
            };
        };
    };
    onPaymentCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop what you have seen. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Entries `v1,…` separated by spaces; one of them must match. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "payment.created";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["Payment"];
                };
            };
        };
        responses: {
            /** @description The endpoint is gone for good: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other response, a redirect too, is a failure, and the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentDetected: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop what you have seen. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Entries `v1,…` separated by spaces; one of them must match. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "payment.detected";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["Payment"];
                };
            };
        };
        responses: {
            /** @description The endpoint is gone for good: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other response, a redirect too, is a failure, and the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentUnderpaid: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop what you have seen. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Entries `v1,…` separated by spaces; one of them must match. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "payment.underpaid";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["Payment"];
                };
            };
        };
        responses: {
            /** @description The endpoint is gone for good: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other response, a redirect too, is a failure, and the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop what you have seen. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Entries `v1,…` separated by spaces; one of them must match. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "payment.completed";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["Payment"];
                };
            };
        };
        responses: {
            /** @description The endpoint is gone for good: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other response, a redirect too, is a failure, and the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentOverpaid: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop what you have seen. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Entries `v1,…` separated by spaces; one of them must match. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "payment.overpaid";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["Payment"];
                };
            };
        };
        responses: {
            /** @description The endpoint is gone for good: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other response, a redirect too, is a failure, and the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentLate: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop what you have seen. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Entries `v1,…` separated by spaces; one of them must match. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "payment.late";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["Payment"];
                };
            };
        };
        responses: {
            /** @description The endpoint is gone for good: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other response, a redirect too, is a failure, and the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentReorged: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop what you have seen. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Entries `v1,…` separated by spaces; one of them must match. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "payment.reorged";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["Payment"];
                };
            };
        };
        responses: {
            /** @description The endpoint is gone for good: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other response, a redirect too, is a failure, and the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentExpired: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop what you have seen. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Entries `v1,…` separated by spaces; one of them must match. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "payment.expired";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["Payment"];
                };
            };
        };
        responses: {
            /** @description The endpoint is gone for good: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other response, a redirect too, is a failure, and the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentCancelled: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop what you have seen. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Entries `v1,…` separated by spaces; one of them must match. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "payment.cancelled";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["Payment"];
                };
            };
        };
        responses: {
            /** @description The endpoint is gone for good: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other response, a redirect too, is a failure, and the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop what you have seen. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Entries `v1,…` separated by spaces; one of them must match. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "payment.failed";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["Payment"];
                };
            };
        };
        responses: {
            /** @description The endpoint is gone for good: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other response, a redirect too, is a failure, and the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDepositSwept: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop what you have seen. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Entries `v1,…` separated by spaces; one of them must match. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "deposit.swept";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["Payment"];
                };
            };
        };
        responses: {
            /** @description The endpoint is gone for good: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other response, a redirect too, is a failure, and the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDepositSweepFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop what you have seen. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Entries `v1,…` separated by spaces; one of them must match. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "deposit.sweep_failed";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["Payment"];
                };
            };
        };
        responses: {
            /** @description The endpoint is gone for good: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other response, a redirect too, is a failure, and the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDepositRefunded: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop what you have seen. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Entries `v1,…` separated by spaces; one of them must match. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "deposit.refunded";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["Payment"];
                };
            };
        };
        responses: {
            /** @description The endpoint is gone for good: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other response, a redirect too, is a failure, and the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDepositUnmatchedReceived: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop what you have seen. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Entries `v1,…` separated by spaces; one of them must match. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "deposit.unmatched_received";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["Payment"];
                };
            };
        };
        responses: {
            /** @description The endpoint is gone for good: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other response, a redirect too, is a failure, and the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDepositUnmatchedRefunded: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop what you have seen. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Entries `v1,…` separated by spaces; one of them must match. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "deposit.unmatched_refunded";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["Payment"];
                };
            };
        };
        responses: {
            /** @description The endpoint is gone for good: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other response, a redirect too, is a failure, and the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBridgeMoved: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop what you have seen. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Entries `v1,…` separated by spaces; one of them must match. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "bridge.moved";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["Payment"];
                };
            };
        };
        responses: {
            /** @description The endpoint is gone for good: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other response, a redirect too, is a failure, and the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRefundRequested: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop what you have seen. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Entries `v1,…` separated by spaces; one of them must match. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "refund.requested";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["Payment"] & {
                        merchantRefund: components["schemas"]["MerchantRefundOfEvent"];
                    };
                };
            };
        };
        responses: {
            /** @description The endpoint is gone for good: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other response, a redirect too, is a failure, and the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRefundPaid: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop what you have seen. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Entries `v1,…` separated by spaces; one of them must match. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "refund.paid";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["Payment"] & {
                        merchantRefund: components["schemas"]["MerchantRefundOfEvent"];
                    };
                };
            };
        };
        responses: {
            /** @description The endpoint is gone for good: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other response, a redirect too, is a failure, and the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRefundFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop what you have seen. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Entries `v1,…` separated by spaces; one of them must match. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "refund.failed";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["Payment"] & {
                        merchantRefund: components["schemas"]["MerchantRefundOfEvent"];
                    };
                };
            };
        };
        responses: {
            /** @description The endpoint is gone for good: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other response, a redirect too, is a failure, and the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookTest: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop what you have seen. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description Unix seconds of this attempt. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Entries `v1,…` separated by spaces; one of them must match. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "webhook.test";
                    /** Format: date-time */
                    timestamp: string;
                    data: {
                        /** @enum {boolean} */
                        isTest: true;
                        message: string;
                    };
                };
            };
        };
        responses: {
            /** @description The endpoint is gone for good: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. Any other response, a redirect too, is a failure, and the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
