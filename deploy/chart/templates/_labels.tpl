{{- define "k8snet-agent.labels" -}}
app.kubernetes.io/name: k8snet-agent
app.kubernetes.io/part-of: k8snet
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "k8snet-agent.subjects" -}}
- kind: ServiceAccount
  name: k8snet-agent
  namespace: {{ .Release.Namespace }}
{{- end }}

{{- define "k8snet-agent.probe" -}}
httpGet:
  {{- if .Values.metrics.enabled }}
  scheme: HTTPS
  {{- else }}
  host: 127.0.0.1
  scheme: HTTP
  {{- end }}
  port: 9965
  path: {{ .path }}
timeoutSeconds: 5
{{- end }}
