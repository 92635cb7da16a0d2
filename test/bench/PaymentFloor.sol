// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PaymentDetails} from "../../bff/contracts/src/PaymentDetails.sol";

/// @dev Without a return value, so that USDT is one too.
interface Token {
    function transferFrom(address from, address to, uint256 amount) external;
}

/// @dev The least that such a payment can cost: existing clients' call, two transfers and the event, and no check at all.
contract PaymentFloor {
    event PaymentSplit(
        address indexed payer,
        bytes32 indexed termsHash,
        address indexed token,
        uint256 received,
        string paymentId,
        uint256 amount,
        address recipient1,
        address recipient2,
        address recipient3,
        uint256 recipient1Percentage,
        uint256 recipient2Percentage,
        uint256 recipient3Percentage
    );

    function splitPayment(PaymentDetails calldata details) external {
        uint256 fee = details.amount * details.recipient2Percentage / 10_000;
        Token(details.token).transferFrom(msg.sender, details.recipient1, details.amount - fee);
        Token(details.token).transferFrom(msg.sender, details.recipient2, fee);
        emit PaymentSplit(
            msg.sender,
            0,
            details.token,
            details.amount,
            details.paymentId,
            details.amount,
            details.recipient1,
            details.recipient2,
            details.recipient3,
            details.recipient1Percentage,
            details.recipient2Percentage,
            details.recipient3Percentage
        );
    }
}
