# The gateway on a base with nothing but the C library: no root, no shell, no package manager.
FROM oven/bun:1.4.4 AS build
WORKDIR /build
COPY . .
# For `waypost version`: the context has no history, so whoever builds says which commit it is (docs/deploy.md#with-docker).
ARG WAYPOST_COMMIT= WAYPOST_COMMIT_DATE=
RUN bun install --frozen-lockfile && bun run build --metafile=dist/contents.json && \
    bun packaging/licences.ts dist/contents.json dist/console.inputs.json > dist/THIRD_PARTY_LICENSES && mkdir /data

FROM gcr.io/distroless/base-debian12:nonroot
COPY --from=build /build/dist/waypost /usr/bin/waypost
COPY --from=build /build/src/monitoring/prometheus /usr/share/waypost/prometheus
COPY --from=build /build/src/monitoring/grafana /usr/share/waypost/grafana
COPY --from=build /build/LICENSE /build/dist/THIRD_PARTY_LICENSES /usr/share/doc/waypost/
# A fresh volume takes its owner from the folder that it covers.
COPY --from=build --chown=nonroot:nonroot /data /data
# The collector of memory is told of 256 MB. By what the machine has, it would let garbage grow that nobody needs.
ENV HOST=0.0.0.0 DATA_DIR=/data BUN_JSC_forceRAMSize=268435456
VOLUME /data
EXPOSE 8080
# The first start of a new version migrates the database. The first success ends this time: it makes nothing later.
HEALTHCHECK --interval=30s --timeout=6s --start-period=30m CMD ["/usr/bin/waypost", "health"]
ENTRYPOINT ["/usr/bin/waypost"]
CMD ["serve"]
