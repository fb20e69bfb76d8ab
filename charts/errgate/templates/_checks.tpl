{{/* Ends with a message where values contradict each other in a way that a schema cannot explain. */}}
{{- define "errgate.checks" -}}
{{- $secrets := .Values.secrets -}}
{{- $_ := required "set externalUrl to the address that people and SDKs use: https://errors.example.com" .Values.externalUrl -}}
{{- if not $secrets.mongodbUri.existingSecret -}}
{{- if gt (int .Values.replicaCount) 1 -}}
{{- fail (printf "replicaCount is %d, but the embedded store (SQLite) serves one gateway: set replicaCount to 1, or name a Secret with the address of MongoDB in secrets.mongodbUri.existingSecret" (int .Values.replicaCount)) -}}
{{- end -}}
{{- else if not $secrets.secretKey.existingSecret -}}
{{- fail "gateways on MongoDB need the same key: name a Secret with it in secrets.secretKey.existingSecret (make one with: openssl rand -hex 32)" -}}
{{- end -}}
{{- if and $secrets.secretKeyPrevious.existingSecret (not $secrets.secretKey.existingSecret) -}}
{{- fail "secrets.secretKeyPrevious is the key before secrets.secretKey: name a Secret with the new key there too" -}}
{{- end -}}
{{- if and .Values.serviceMonitor.enabled (not $secrets.metricsToken.existingSecret) -}}
{{- fail "serviceMonitor reads metrics with a token: name a Secret with it in secrets.metricsToken.existingSecret" -}}
{{- end -}}
{{- $names := dict -}}
{{- range include "errgate.env" . | fromYamlArray -}}
{{- $name := trimSuffix "_FILE" .name -}}
{{- if hasKey $names $name -}}
{{- fail (printf "the variable %s is set twice, as %s and %s: secrets, settings, config and extraEnv may each set it, but only one of them" $name (get $names $name) .name) -}}
{{- end -}}
{{- $_ := set $names $name .name -}}
{{- end -}}
{{- if and (hasKey $names "ERRGATE_AUTH_HEADER") .Values.networkPolicy.enabled (not .Values.networkPolicy.ingressFrom) -}}
{{- fail "with ERRGATE_AUTH_HEADER every Pod at a trusted address could sign in as anybody: name the Pods of the proxy in networkPolicy.ingressFrom" -}}
{{- end -}}
{{- if and (or .Values.ingress.enabled .Values.httpRoute.enabled) (regexMatch "^[0-9.]+$|:" (include "errgate.host" .)) -}}
{{- fail (printf "an Ingress and a route need the name of a host, and externalUrl has the address %s" (include "errgate.host" .)) -}}
{{- end -}}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) -}}
{{- fail "httpRoute needs the Gateways that take it: set httpRoute.parentRefs, such as [{ name: public, namespace: gateways }]" -}}
{{- end -}}
{{- end -}}
