# One executable on a base without a shell. Build: docker build -t stablecoin-checkout .
FROM node:24.21.0-bookworm AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc install.mjs tsconfig.base.json LICENSE ./
COPY bff/package.json bff/node-release.mjs bff/
COPY bff/clients/node/package.json bff/clients/node/
COPY widget/package.json widget/
COPY bff/test/package.json bff/test/
COPY demo/package.json demo/
COPY test/package.json test/
# A layer of its own: it is made again only when a dependency changes.
RUN node install.mjs
COPY bff bff
COPY widget widget
RUN npm run build:binary
# A volume takes over the rights of the folder that it is mounted on.
RUN mkdir -m 0700 /data

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /build/bff/dist/stablecoin-checkout /usr/local/bin/stablecoin-checkout
COPY --from=build /build/bff/dist/stablecoin-checkout.licenses.txt /usr/share/doc/stablecoin-checkout/
COPY --from=build --chown=nonroot:nonroot /data /data
USER nonroot
WORKDIR /data
# init writes it: docker run -it -v checkout:/data stablecoin-checkout init
ENV BFF_CONFIG=/data/checkout.json
# All of the container's addresses: what reaches it from outside is what Docker was asked to publish.
ENV BFF_HOST=0.0.0.0
VOLUME /data
EXPOSE 8787
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=6s --start-period=60s CMD ["/usr/local/bin/stablecoin-checkout", "ready", "--alive"]
ENTRYPOINT ["/usr/local/bin/stablecoin-checkout"]
CMD ["serve"]
