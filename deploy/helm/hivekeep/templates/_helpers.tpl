{{- define "hivekeep.labels" -}}
app.kubernetes.io/name: hivekeep
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "hivekeep.settings" -}}
{{ .Release.Name }}-settings
{{- end }}

{{/* A Deployment and what belongs to it; takes .root, .role and .values of the role. */}}
{{- define "hivekeep.role" -}}
{{- $ := .root -}}
{{- $name := printf "%s-%s" $.Release.Name .role -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels:
    {{- include "hivekeep.labels" $ | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  {{- if not .values.autoscaling.enabled }}
  replicas: {{ .values.replicas }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "hivekeep.labels" $ | nindent 6 }}
      app.kubernetes.io/component: {{ .role }}
  strategy:
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  template:
    metadata:
      labels:
        {{- include "hivekeep.labels" $ | nindent 8 }}
        app.kubernetes.io/component: {{ .role }}
      annotations:
        # a change of the settings is a rollout
        checksum/settings: {{ $.Values.settings | toJson | sha256sum }}
    spec:
      # Kubernetes' own HIVEKEEP_... variables of a service would be taken for settings that are misspelt
      enableServiceLinks: false
      automountServiceAccountToken: false
      # it also holds the pause before SIGTERM and the cut-off after HIVEKEEP_SHUTDOWN_SECONDS
      terminationGracePeriodSeconds: {{ add (int (get $.Values.settings "HIVEKEEP_SHUTDOWN_SECONDS" | default "25")) 20 }}
      {{- with $.Values.image.pullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        runAsGroup: 1000
        seccompProfile: { type: RuntimeDefault }
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "hivekeep.labels" $ | nindent 14 }}
              app.kubernetes.io/component: {{ .role }}
      containers:
        - name: hivekeep
          image: "{{ $.Values.image.repository }}:{{ $.Values.image.tag | default $.Chart.AppVersion }}"
          imagePullPolicy: {{ $.Values.image.pullPolicy }}
          args: [serve]
          env:
            - { name: HIVEKEEP_ROLE, value: {{ .role }} }
          envFrom:
            - configMapRef: { name: {{ include "hivekeep.settings" $ }} }
            - secretRef: { name: {{ $.Values.secret }} }
          ports:
            - { name: http, containerPort: 8420 }
          {{- if eq .role "gateway" }}
          # the service and the ingress hear of the end before new requests are refused
          lifecycle:
            preStop:
              sleep: { seconds: 5 }
          {{- end }}
          startupProbe:
            httpGet: { path: /livez, port: http }
            periodSeconds: 2
            failureThreshold: 30
          livenessProbe:
            httpGet: { path: /livez, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: http }
            periodSeconds: 2
            timeoutSeconds: 2
            failureThreshold: 2
          resources:
            {{- toYaml .values.resources | nindent 12 }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          {{- if eq .role "gateway" }}
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
      volumes:
        # the bodies of imports lie here while they arrive
        - name: tmp
          emptyDir: { sizeLimit: {{ .values.tmp }} }
          {{- end }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  labels:
    {{- include "hivekeep.labels" $ | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "hivekeep.labels" $ | nindent 6 }}
      app.kubernetes.io/component: {{ .role }}
{{- if .values.autoscaling.enabled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ $name }}
  labels:
    {{- include "hivekeep.labels" $ | nindent 4 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ $name }} }
  minReplicas: {{ .values.autoscaling.least }}
  maxReplicas: {{ .values.autoscaling.most }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: { type: Utilization, averageUtilization: {{ .values.autoscaling.cpu }} }
    {{- with .values.autoscaling.backlog }}
    - type: Pods
      pods:
        metric: { name: hivekeep_outbox_documents }
        target: { type: AverageValue, averageValue: "{{ . }}" }
    {{- end }}
  # every change of workers moves agents between them
  behavior:
    scaleDown: { stabilizationWindowSeconds: 300 }
{{- end }}
{{- end }}
