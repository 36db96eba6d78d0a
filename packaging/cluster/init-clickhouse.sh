#!/bin/bash
# Runs once on each server, while its data folder is empty and nobody else can reach it.
set -e
clickhouse-client --query "CREATE DATABASE IF NOT EXISTS tidemark"
clickhouse-client --param_password="$PASSWORD_OF_TIDEMARK" --queries-file /etc/tidemark/tidemark-user.sql
