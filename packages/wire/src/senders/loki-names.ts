/** What labels of Loki say beyond the names that every record may use. The services are Loki's own list, in its order. */
export const LOKI_NAMES = {
  service:
    'app_name app_kubernetes_io_name container container_name k8s_container_name component workload job k8s_job_name',
  environment: 'deployment_environment_name deployment_environment',
  level: 'detected_level',
  host: 'node_name nodename node instance',
  release: 'service_version',
} as const
