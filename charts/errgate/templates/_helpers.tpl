{{- define "errgate.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{/* At most 52 characters, because a StatefulSet adds a hash, and no dots, which a Service must not have. */}}
{{- define "errgate.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else if contains (include "errgate.name" .) .Release.Name -}}
{{- .Release.Name | replace "." "-" | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "errgate.name" .) | replace "." "-" | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "errgate.headless" -}}
{{ include "errgate.fullname" . }}-headless
{{- end -}}

{{/* Labels that never change during the life of a release. */}}
{{- define "errgate.selectorLabels" -}}
app.kubernetes.io/name: {{ include "errgate.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "errgate.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "errgate.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | replace "+" "_" | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{/* Gateways alone, not the Pod of `helm test`. */}}
{{- define "errgate.gatewayLabels" -}}
{{ include "errgate.selectorLabels" . }}
app.kubernetes.io/component: gateway
{{- end -}}

{{- define "errgate.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "errgate.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "errgate.image" -}}
{{- with .Values.image -}}
{{- $repository := required "set image.repository to the registry and name of the image: registry.example.com/errgate" .repository -}}
{{- if .digest -}}
{{ $repository }}@{{ .digest }}
{{- else -}}
{{ $repository }}:{{ default $.Chart.AppVersion .tag }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Folder of errgate in the volume, whose root belongs to the cluster. */}}
{{- define "errgate.dataDir" -}}
/data/errgate
{{- end -}}

{{- define "errgate.secretsDir" -}}
/run/secrets/errgate
{{- end -}}

{{/* Members of `secrets` and the variables that they set, as YAML. */}}
{{- define "errgate.secretVariables" -}}
mongodbUri: ERRGATE_STORE_URL
secretKey: ERRGATE_SECRET_KEY
secretKeyPrevious: ERRGATE_SECRET_KEY_PREVIOUS
mailUrl: ERRGATE_MAIL_URL
oidcClientSecret: ERRGATE_OIDC_CLIENT_SECRET
metricsToken: ERRGATE_METRICS_TOKEN
selfMonitoringDsn: ERRGATE_SELF_MONITORING_DSN
{{- end -}}

{{/* A number of a values file is a float, which would be written as 5e+09. */}}
{{- define "errgate.text" -}}
{{- if kindIs "float64" . -}}
{{ printf "%d" (int64 .) }}
{{- else -}}
{{ toString . }}
{{- end -}}
{{- end -}}

{{- define "errgate.env" -}}
- name: ERRGATE_HOST
  value: {{ .Values.listenHost | quote }}
- name: ERRGATE_PORT
  value: '8080'
- name: ERRGATE_DATA_DIR
  value: {{ include "errgate.dataDir" . }}
- name: ERRGATE_EXTERNAL_URL
  value: {{ .Values.externalUrl | quote }}
{{- if .Values.config }}
- name: ERRGATE_CONFIG_DIR
  value: /etc/errgate
{{- end }}
{{- range $member, $variable := include "errgate.secretVariables" . | fromYaml }}
{{- if (index $.Values.secrets $member).existingSecret }}
- name: {{ $variable }}_FILE
  value: {{ include "errgate.secretsDir" $ }}/{{ $member }}
{{- end }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ include "errgate.text" $value | quote }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "errgate.volumeMounts" -}}
- name: data
  mountPath: /data
- name: tmp
  mountPath: /tmp
{{- if eq (include "errgate.hasSecrets" .) "true" }}
- name: secrets
  mountPath: {{ include "errgate.secretsDir" . }}
  readOnly: true
{{- end }}
{{- if .Values.config }}
- name: config
  mountPath: /etc/errgate
  readOnly: true
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "errgate.hasSecrets" -}}
{{- $found := false -}}
{{- range .Values.secrets }}{{ if .existingSecret }}{{ $found = true }}{{ end }}{{ end -}}
{{ $found }}
{{- end -}}

{{/* Host and path of the external address. */}}
{{- define "errgate.host" -}}
{{- (urlParse .Values.externalUrl).hostname | lower -}}
{{- end -}}
{{- define "errgate.path" -}}
{{- (urlParse .Values.externalUrl).path | trimSuffix "/" | default "/" -}}
{{- end -}}
