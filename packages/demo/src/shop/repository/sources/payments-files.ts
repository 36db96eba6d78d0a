const JAVA = 'services/payments/src/main/java/com/shop/payments'

export const PAYMENTS_FILES: Record<string, string> = {
  'services/payments/build.gradle': `plugins {
    id 'java'
    id 'org.springframework.boot' version '3.5.6'
}

dependencies {
    implementation 'org.springframework.boot:spring-boot-starter-web'
    implementation 'com.squareup.okhttp3:okhttp:4.12.0'
    implementation 'org.postgresql:postgresql:42.7.8'
}
`,
  'services/payments/src/main/resources/application.properties': `server.port=8080
spring.application.name=payments
`,
  [`${JAVA}/CaptureController.java`]: `package com.shop.payments;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
class CaptureController {
    private final CaptureService captures;

    CaptureController(CaptureService captures) {
        this.captures = captures;
    }

    @PostMapping("/captures")
    Receipt create(@RequestBody Order order) {
        return captures.capture(order);
    }
}
`,
  [`${JAVA}/CaptureService.java`]: `package com.shop.payments;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

@Service
class CaptureService {
    private static final Logger log = LoggerFactory.getLogger(CaptureService.class);
    private final PspClient psp;

    CaptureService(PspClient psp) {
        this.psp = psp;
    }

    Receipt capture(Order order) {
        PspAnswer answer = psp.send(order);
        if (answer.declined()) {
            throw new CardDeclinedException("the issuer declined the card: " + answer.reason());
        }
        log.info("payment captured for order {}", order.id());
        return new Receipt(order.id(), answer.reference());
    }
}
`,
  [`${JAVA}/PspClient.java`]: `package com.shop.payments;

import java.io.IOException;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

@Component
class PspClient {
    private static final Logger log = LoggerFactory.getLogger(PspClient.class);
    private final OkHttpClient http = new OkHttpClient();

    PspAnswer send(Order order) {
        try (Response response = http.newCall(requestFor(order)).execute()) {
            return PspAnswer.parse(response.body().string());
        } catch (IOException e) {
            log.error("webhook confirmation failed: {}", e.getMessage());
            throw new PspException("api.psp.example did not answer the capture", e);
        }
    }

    private Request requestFor(Order order) {
        return new Request.Builder().url("https://api.psp.example/v2/captures").post(order.toBody()).build();
    }
}
`,
}
